"use client";

import { PurchaseLine } from "@/components/provider/purchase-line";
import { ConfirmButton } from "@/components/ui/confirm";
import { RelativeTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict, EventView } from "@/lib/contract/provider";

interface Props {
  action: FormAction<{ status: EventVerdict }>;
  appId: string;
  refereeUid: string;
  /** Unmatched events that came after the code was assigned. */
  events: readonly EventView[];
}

/** Links an unmatched event to this referee. */
export function LinkEvent({ action, appId, refereeUid, events }: Props) {
  return (
    <ConfirmButton
      label="Link a confirmation"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, uid: refereeUid }}
      title="Link a confirmation"
      description={
        <p>
          These events of the same store came after the code was assigned and match no referral, for example
          because the provider knows the user under another ID. The event you choose is applied as if it had
          named <strong className="break-all">{refereeUid}</strong>: a purchase confirms the referral, counts,
          and may earn a reward.
        </p>
      }
      submit="Link event"
      done="Event linked"
    >
      <fieldset className="grid max-h-64 gap-2 overflow-y-auto">
        <legend className="sr-only">Unmatched events</legend>
        {events.map((event, index) => (
          <EventChoice key={event.id} event={event} first={index === 0} />
        ))}
      </fieldset>
    </ConfirmButton>
  );
}

/** An unmatched event to choose. */
function EventChoice({ event, first }: { event: EventView; first: boolean }) {
  return (
    <label className="flex gap-3 rounded-lg border border-line p-3 text-sm has-checked:border-ink">
      <input
        type="radio"
        name="eventId"
        value={event.id}
        defaultChecked={first}
        required
        className="mt-0.5 size-4 accent-accent"
      />
      <span className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap gap-x-2">
          <code className="font-mono text-note">{event.type}</code>
          <span className="text-muted">
            <RelativeTime at={event.at} />
          </span>
        </span>
        <span className="truncate text-note text-muted">{event.uids.join(", ") || "No user id"}</span>
        <PurchaseLine purchase={event.purchase} />
      </span>
    </label>
  );
}
