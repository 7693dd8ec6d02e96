import { Badge } from "@/components/ui/badge";
import type { ReferralStatus } from "@/lib/contract/referral-list";
import { STATUS_NAME, STATUS_TONE } from "./words";

/** How far a referral has come. */
export function ReferralBadge({ status }: { status: ReferralStatus }) {
  return <Badge tone={STATUS_TONE[status]}>{STATUS_NAME[status]}</Badge>;
}
