import { Badge } from "@/components/ui/badge";
import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import { LocalTime } from "@/components/ui/time";
import type { CampaignView } from "@/lib/contract/campaign-view";

export const CAMPAIGN_TYPE_LABEL: Record<CampaignView["type"], string> = {
  referral: "Referral",
  influencer: "Influencer",
};

const CAMPAIGN_STATUSES: StatusLooks<CampaignView["status"]> = {
  draft: { label: "Draft", tone: "neutral" },
  active: { label: "Active", tone: "good" },
  paused: { label: "Paused", tone: "warn" },
  ended: { label: "Ended", tone: "bad" },
};

type Dated = Pick<CampaignView, "status" | "startsAt">;

/** The status of a campaign. An active one assigns no codes before its start, so it is shown as scheduled. */
export function CampaignStatus({ campaign: { status, startsAt } }: { campaign: Dated }) {
  if (status === "active" && startsAt && startsAt > new Date()) return <Badge tone="accent">Scheduled</Badge>;
  return <StatusBadge status={status} looks={CAMPAIGN_STATUSES} />;
}

/** The start and the end of a campaign. */
export function CampaignDates({ startsAt, endsAt }: Pick<CampaignView, "startsAt" | "endsAt">) {
  if (!startsAt && !endsAt) return <span className="text-muted">No dates</span>;
  return (
    <span className="inline-flex flex-wrap gap-x-1.5">
      {startsAt && (
        <span>
          From <LocalTime at={startsAt} />
        </span>
      )}
      {endsAt && (
        <span>
          {startsAt ? "until" : "Until"} <LocalTime at={endsAt} />
        </span>
      )}
    </span>
  );
}
