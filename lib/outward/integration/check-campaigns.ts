import { DAY_MS, formatLongDate, PLATFORM_NAME } from "@/lib/contract/format";
import { type Fact, listed } from "@/lib/outward/integration/fact";
import { SOON_DAYS } from "@/lib/outward/problems/detect-codes";
import type { Campaign } from "@/lib/program/campaigns/read";

/** The campaigns that run or are paused, with their end. */
export function checkCampaigns(campaigns: Campaign[], now = Date.now()): Fact[] {
  return campaigns
    .filter(({ status }) => status === "active" || status === "paused")
    .map(({ id, name, status, endsAt, platforms }): Fact => {
      const soon = endsAt !== null && endsAt.getTime() - now < SOON_DAYS * DAY_MS;
      const stores = platforms.map(({ platform }) => PLATFORM_NAME[platform]);
      return {
        topic: "campaigns",
        subject: id,
        rows: [id],
        state: status === "paused" || soon ? "hint" : "good",
        title: name,
        evidence: [
          status === "paused"
            ? "It is paused: friends get no codes."
            : `It runs on ${listed.format(stores)}.`,
          endsAt ? `It ends on ${formatLongDate(endsAt)}.` : "It has no end.",
        ],
        path: `/campaigns/${id}`,
        action: "Open the campaign",
      };
    });
}
