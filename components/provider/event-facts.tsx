import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { LocalTime } from "@/components/ui/time";
import type { EventDetail } from "@/lib/contract/provider";
import { PurchaseLine } from "./purchase-line";

/** The ids of an event, the match with its referral, and its time. */
export function EventFacts({ event }: { event: EventDetail }) {
  const { uids, matchedBy, links, eventId, purchaseId, occurredAt, failure } = event;
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2 text-sm sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      {failure && (
        <Fact name="Error">
          <span className="text-bad">{failure}</span>
        </Fact>
      )}
      <Fact name="User IDs tried">
        <code className="font-mono text-note wrap-anywhere">
          {uids.length > 0 ? uids.join(", ") : "None"}
        </code>
      </Fact>
      {matchedBy && (
        <Fact name="Matched by">
          <MatchedThrough matchedBy={matchedBy} />
        </Fact>
      )}
      {links.length > 0 && (
        <Fact name="Links IDs">
          {links.map(({ from, to }) => (
            <code key={`${from} ${to}`} className="block font-mono text-note wrap-anywhere">
              {from} → {to}
            </code>
          ))}
        </Fact>
      )}
      {occurredAt && (
        <Fact name="Event time">
          <LocalTime at={occurredAt} shape="second" />
        </Fact>
      )}
      <Fact name="Bought">
        <PurchaseLine purchase={event.purchase} />
      </Fact>
      {purchaseId && (
        <Fact name="Purchase">
          <code className="font-mono text-note wrap-anywhere">{purchaseId}</code>
        </Fact>
      )}
      <Fact name="Event ID">
        <span className="-my-1.5 flex items-center gap-1">
          <code className="font-mono text-note wrap-anywhere">{eventId}</code>
          <CopyButton text={eventId} label="Copy event ID" />
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

/** The path from an event to its referral. Highlights a transfer, because it may have moved the purchase to another person. */
export function MatchedThrough({ matchedBy }: { matchedBy: NonNullable<EventDetail["matchedBy"]> }) {
  const { uid, links = [], purchase, hand } = matchedBy;
  const transferred = links.some(({ type }) => /transfer/i.test(type));
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <code className="font-mono text-note wrap-anywhere">
        {[uid, ...links.map(({ type }) => type)].join(" ← ")}
      </code>
      {purchase && <span className="text-muted">through the purchase that confirmed this user</span>}
      {hand && <Badge tone="warn">Linked by hand</Badge>}
      {transferred && <Badge tone="warn">By a transfer</Badge>}
    </span>
  );
}
