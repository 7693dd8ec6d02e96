import {
  BadgeCheck,
  Gift,
  MousePointerClick,
  PlugZap,
  RefreshCw,
  Ticket,
  Undo2,
  UserRound,
} from "lucide-react";
import { MatchedThrough } from "@/components/provider/event-facts";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { auditLabel } from "@/lib/contract/audit";
import type { CodeView, ReferralTimelineEntry } from "@/lib/contract/timeline";
import { EVENT_EFFECT_LABEL } from "./labels";
import { TimelineEntry } from "./timeline-entry";

interface Props {
  base: string;
  entries: readonly ReferralTimelineEntry[];
}

/** The timeline of a referral, oldest first. */
export function ReferralTimeline({ base, entries }: Props) {
  return (
    <ol aria-label="Timeline">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several entries have the same time
        <Line key={index} base={base} entry={entry} />
      ))}
    </ol>
  );
}

const REWARD_STATUS = {
  earned: "That reward is not claimed yet.",
  claimed: "That reward has been claimed.",
  withdrawn: "That reward was withdrawn and can no longer be claimed.",
};

function Line({ base, entry }: { base: string; entry: ReferralTimelineEntry }) {
  const { at } = entry;
  switch (entry.kind) {
    case "clicked":
      return <TimelineEntry icon={MousePointerClick} at={at} title="Referral link opened" />;
    case "code_assigned":
      return (
        <TimelineEntry
          icon={Ticket}
          at={at}
          title={<>Code assigned {entry.code && <Masked code={entry.code} />}</>}
        >
          {entry.code && <CodeOrigin base={base} code={entry.code} />}
        </TimelineEntry>
      );
    case "code_replaced":
      return (
        <TimelineEntry
          icon={RefreshCw}
          at={at}
          title={
            <>
              Code replaced {entry.old && <Masked code={entry.old} />}
              {entry.by && ` by ${entry.by}`}
            </>
          }
        >
          <p>{entry.reason}</p>
        </TimelineEntry>
      );
    case "event":
      return <EventLine event={entry} />;
    case "confirmed":
      return (
        <TimelineEntry icon={BadgeCheck} tone="good" at={at} title="Referral confirmed">
          {entry.heldUntil && (
            <p>
              Counts from <LocalTime at={entry.heldUntil} shape="day" />
            </p>
          )}
        </TimelineEntry>
      );
    case "reversed":
      return (
        <TimelineEntry
          icon={Undo2}
          tone="bad"
          at={at}
          title={entry.byHand ? "Reversed by hand. It no longer counts." : "Refunded. It no longer counts."}
        />
      );
    case "reward":
      return (
        <TimelineEntry
          icon={Gift}
          tone="good"
          at={at}
          title={`Counted towards reward ${entry.rewardNumber} of the referrer`}
        >
          <p>{REWARD_STATUS[entry.status]}</p>
        </TimelineEntry>
      );
    case "audit":
      return <AuditTimelineEntry entry={entry} />;
  }
}

const Masked = ({ code }: { code: CodeView }) => <code className="font-mono">{code.code}</code>;

/** The batch, the offer and the expiry of a code. */
export function CodeOrigin({ base, code }: { base: string; code: CodeView }) {
  return (
    <p className="flex flex-wrap gap-x-3">
      <Link href={`${base}/codes/batches/${code.batchId}`} className="underline hover:text-ink">
        {code.origin ?? "Batch"}
      </Link>
      <span>{code.offer ? `Offer ${code.offer}` : "No named offer"}</span>
      <span>
        {code.expiresAt ? (
          <>
            Expires <LocalTime at={code.expiresAt} shape="day" />
          </>
        ) : (
          "No expiry"
        )}
      </span>
    </p>
  );
}

function EventLine({ event }: { event: Extract<ReferralTimelineEntry, { kind: "event" }> }) {
  return (
    <TimelineEntry
      icon={PlugZap}
      at={event.at}
      title={
        <>
          <code className="font-mono text-note">{event.type}</code> {EVENT_EFFECT_LABEL[event.verdict]}
        </>
      }
    >
      {event.matchedBy && (
        <p className="flex flex-wrap items-center gap-x-2">
          Matched through <MatchedThrough matchedBy={event.matchedBy} />
        </p>
      )}
      <details>
        <summary className="w-fit rounded-sm py-1 hover:text-ink">Payload from the provider</summary>
        <div className="pt-1.5">
          <CodeBlock text={event.payload} label={`Copy the payload of ${event.type}`} />
        </div>
      </details>
    </TimelineEntry>
  );
}

type Audit = Extract<ReferralTimelineEntry, { kind: "audit" }>;

/** An entry of the audit log, with the reason if there is one. */
export function AuditTimelineEntry({ entry }: { entry: Audit }) {
  const changed = (name: string) => entry.changes.find(({ field }) => field === name);
  const [reason, code] = [changed("reason")?.after, changed("code")];
  const { kind, name } = entry.subject;
  return (
    <TimelineEntry icon={UserRound} at={entry.at} title={`${auditLabel(entry.action)} by ${entry.actor}`}>
      {kind === "reward" && name && <p>{name}</p>}
      {code?.before && code.after && (
        <p>
          {code.after} instead of {code.before}
        </p>
      )}
      {reason && <p>{reason}</p>}
    </TimelineEntry>
  );
}
