import { Badge } from "@/components/ui/badge";
import type { ReferrerStatus } from "@/lib/contract/referrer-list";
import { STATUS_NAME, STATUS_TONE } from "./words";

/** Whether a referrer may invite. */
export function ReferrerBadge({ status }: { status: ReferrerStatus }) {
  return <Badge tone={STATUS_TONE[status]}>{STATUS_NAME[status]}</Badge>;
}
