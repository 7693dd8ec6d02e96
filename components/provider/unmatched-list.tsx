import { RowCheck } from "@/components/bulk/row-check";
import { SelectAll } from "@/components/bulk/select-all";
import { ActButton } from "@/components/ui/act-button";
import { Link } from "@/components/ui/link";
import { listHref } from "@/components/ui/pager";
import { RelativeTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { Diagnosis, EventVerdict, EventView } from "@/lib/contract/provider";
import { diagnosisLabels } from "./labels";
import { PurchaseLine } from "./purchase-line";
import { ReplayButton } from "./replay-button";

interface InboxActions {
  replay: FormAction<{ status: EventVerdict }>;
  dismiss: FormAction<void>;
  putBack: FormAction<void>;
}

interface Props {
  path: string;
  appId: string;
  query: Record<string, string | undefined>;
  events: readonly EventView[];
  /** Names of the connections by id. */
  connections: Readonly<Record<string, string>>;
  /** The reason why each event has no referral, by the event's id. */
  diagnoses: Readonly<Record<string, Diagnosis>>;
  /** Absent for members with read-only access. */
  actions: InboxActions | undefined;
}

/** Events without a referral, each with its actions. */
export function UnmatchedList({ path, appId, query, events, connections, diagnoses, actions }: Props) {
  return (
    <div className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
      {actions && events.some(isMovable) && (
        <div className="rounded-t-xl bg-subtle/50 px-5">
          <SelectAll text />
        </div>
      )}
      <ul aria-label="Events" className="divide-y divide-line">
        {events.map((event) => (
          <li key={event.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-3.5 text-sm">
            {actions && isMovable(event) && <RowCheck id={event.id} label={event.uids[0] ?? event.type} />}
            <div className="grid min-w-52 flex-1 gap-0.5">
              <p className="font-mono text-note wrap-anywhere">
                {event.uids.length > 0 ? event.uids.join(", ") : "No user ID"}
              </p>
              <p className="text-note text-muted">
                <span className="font-mono">{event.type}</span> from{" "}
                {connections[event.connectionId] ?? "a deleted connection"} · <RelativeTime at={event.at} />
              </p>
              <PurchaseLine purchase={event.purchase} />
              <Why diagnosis={diagnoses[event.id]} />
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <Link
                href={listHref(path, { ...query, event: event.id })}
                className="rounded-md px-2 py-1 text-note font-medium text-accent underline underline-offset-2"
                aria-label={`${event.verdict === "unmatched" ? "Review" : "Open"} ${event.type} of ${event.uids[0] ?? "an unknown user"}`}
              >
                {event.verdict === "unmatched" ? "Review" : "Open"}
              </Link>
              {actions && <Actions appId={appId} event={event} actions={actions} />}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Whether an event can be dismissed or put back. */
export const isMovable = ({ verdict }: Pick<EventView, "verdict">): boolean =>
  verdict === "unmatched" || verdict === "dismissed";

function Why({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  if (!diagnosis) return null;
  const { name, advice } = diagnosisLabels(diagnosis);
  return (
    <p className="max-w-prose pt-0.5 text-note text-muted">
      <strong className="font-medium text-ink">{name}.</strong> {advice}
    </p>
  );
}

function Actions({ appId, event, actions }: { appId: string; event: EventView; actions: InboxActions }) {
  const hidden = { appId, eventId: event.id };
  const subject = event.uids[0] ?? event.type;
  return (
    <>
      <ReplayButton
        action={actions.replay}
        appId={appId}
        eventId={event.id}
        verdict={event.verdict}
        subject={subject}
      />
      {event.verdict === "unmatched" && (
        <ActButton
          action={actions.dismiss}
          hidden={hidden}
          done="Dismissed. To put it back, choose “Dismissed” above."
          ariaLabel={`Dismiss ${subject}`}
        >
          Dismiss
        </ActButton>
      )}
      {event.verdict === "dismissed" && (
        <ActButton
          action={actions.putBack}
          hidden={hidden}
          done="Back under Unmatched"
          ariaLabel={`Put back ${subject}`}
        >
          Put back
        </ActButton>
      )}
    </>
  );
}
