import { Badge, type Tone } from "@/components/ui/badge";
import type { CampaignView } from "@/lib/contract/campaign-view";

const TONES: Record<CampaignView["status"], Tone> = {
  draft: "neutral",
  active: "good",
  paused: "warn",
  ended: "bad",
};

const NAMES: Record<CampaignView["status"], string> = {
  draft: "Draft",
  active: "Active",
  paused: "Paused",
  ended: "Ended",
};

type Dated = Pick<CampaignView, "status" | "startsAt">;

/** The state of a campaign; an active one whose start is still to come gives no codes yet. */
export function CampaignStatus({ campaign: { status, startsAt } }: { campaign: Dated }) {
  if (status === "active" && startsAt && startsAt > new Date()) return <Badge tone="accent">Scheduled</Badge>;
  return <Badge tone={TONES[status]}>{NAMES[status]}</Badge>;
}

export const TYPE_NAME: Record<CampaignView["type"], string> = {
  referral: "Referral",
  influencer: "Influencer",
};
