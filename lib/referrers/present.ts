import type { AppRef } from "@/lib/context";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import { linkOf } from "@/lib/domains/link";
import { countOnly, type PlatformCount, progressOf } from "./progress";

type Status = ReferrerResponse["status"];

/** What `get_referrer` and `create_referrer` return. */
export interface FoundReferrer {
  verdict: "OK";
  referrer_id: string;
  slug: string;
  status: Status;
  campaign_type: "referral" | "influencer" | null;
  campaign_status: Status | "draft" | null;
  confirmed: number;
  earned: number;
  claimed: number;
  progress: { ios?: PlatformCount; android?: PlatformCount };
}

/** A referrer as the API shows it (section 4.1). */
export function toReferrerResponse(app: AppRef, found: FoundReferrer): ReferrerResponse {
  const platform = found.campaign_type === "influencer" ? countOnly : progressOf;
  return {
    referrer_id: found.referrer_id,
    referral_link: linkOf(app.landingDomain, found.slug),
    referrer_slug: found.slug,
    metacode: found.slug,
    status: effectiveStatus(found),
    stats: {
      referrals_count: found.confirmed,
      rewards_earned: found.earned,
      rewards_available: found.earned - found.claimed,
    },
    progress: { ios: platform(found.progress.ios), android: platform(found.progress.android) },
  };
}

/** The referrer's own status or the campaign's, whichever holds back more. */
function effectiveStatus({ status, campaign_status }: FoundReferrer): Status {
  if (status === "ended" || campaign_status === "ended") return "ended";
  return status === "paused" || campaign_status === "paused" ? "paused" : "active";
}
