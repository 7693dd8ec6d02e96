import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import type { ReferrerStatus } from "@/lib/contract/referrer-list";

export const REFERRER_STATUS_LOOKS: StatusLooks<ReferrerStatus> = {
  active: { label: "Active", tone: "good" },
  paused: { label: "Paused", tone: "warn" },
  ended: { label: "Ended", tone: "neutral" },
};

/** Whether a referrer may invite. */
export function ReferrerBadge({ status }: { status: ReferrerStatus }) {
  return <StatusBadge status={status} looks={REFERRER_STATUS_LOOKS} />;
}
