import { Badge } from "@/components/ui/badge";
import type { EventDetail } from "@/lib/contract/provider";

/** How an event found its referral. A transfer may have moved a purchase to somebody else, so it is pointed out. */
export function MatchedThrough({ matchedBy }: { matchedBy: NonNullable<EventDetail["matchedBy"]> }) {
  const { uid, links = [], purchase } = matchedBy;
  const transferred = links.some(({ type }) => /transfer/i.test(type));
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <code className="font-mono text-[13px] break-all">
        {[uid, ...links.map(({ type }) => type)].join(" ← ")}
      </code>
      {purchase && <span className="text-muted">by its purchase, which confirmed this person</span>}
      {transferred && <Badge tone="warn">By a transfer</Badge>}
    </span>
  );
}
