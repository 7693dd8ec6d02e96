import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { LocalTime } from "@/components/ui/local-time";
import type { EventDetail } from "@/lib/contract/provider";
import { MatchedThrough } from "./matched-through";

/** What is known of one event: whom it names, how the referral was found, when it happened. */
export function EventFacts({ event }: { event: EventDetail }) {
  const { uids, matchedBy, links, eventId, purchaseId, occurredAt, failure } = event;
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2 text-sm sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      {failure && (
        <Fact name="What went wrong">
          <span className="text-bad">{failure}</span>
        </Fact>
      )}
      <Fact name="User ids tried">
        <code className="font-mono text-[13px] break-all">{uids.length > 0 ? uids.join(", ") : "None"}</code>
      </Fact>
      {matchedBy && (
        <Fact name="Matched through">
          <MatchedThrough matchedBy={matchedBy} />
        </Fact>
      )}
      {links.length > 0 && (
        <Fact name="Links ids">
          {links.map(({ from, to }) => (
            <code key={`${from} ${to}`} className="block font-mono text-[13px] break-all">
              {from} → {to}
            </code>
          ))}
        </Fact>
      )}
      {occurredAt && (
        <Fact name="Happened">
          <LocalTime at={occurredAt} shape="second" />
        </Fact>
      )}
      {purchaseId && (
        <Fact name="Purchase">
          <code className="font-mono text-[13px] break-all">{purchaseId}</code>
        </Fact>
      )}
      <Fact name="Event id">
        <span className="-my-1.5 flex items-center gap-1">
          <code className="font-mono text-[13px] break-all">{eventId}</code>
          <CopyButton text={eventId} label="Copy the event id" />
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
