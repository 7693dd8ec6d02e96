import type { CampaignView, Outlook, Readiness } from "@/lib/contract/campaign-view";
import { formatCount, formatMany, formatNumber, PLATFORM_NAME, plural } from "@/lib/contract/format";

interface Situation {
  campaign: CampaignView;
  outlook: Outlook;
  readiness: Readiness;
}

/** Empty for a campaign without referrers. */
function referrerLine({ campaign, outlook: { referrers, more } }: Situation, rest: string): string[] {
  if (referrers === 0 && !more) return [];
  const [singular, several] =
    campaign.type === "influencer"
      ? ["active influencer", "active influencers"]
      : ["referrer with open progress", "referrers with open progress"];
  const noun = plural(referrers, singular, several);
  return [`${more ? "At least " : ""}${formatNumber(referrers)} ${noun} ${rest}`];
}

function openLines({ outlook: { openCodes, unclaimed } }: Situation): string[] {
  const codes = formatCount(openCodes, "code is", "codes are");
  const rewards = formatCount(unclaimed, "reward is", "rewards are");
  return [
    ...(openCodes > 0
      ? [`${codes} assigned and not confirmed. A confirmation is still accepted and counts towards rewards.`]
      : []),
    ...(unclaimed > 0
      ? [`${rewards} earned and not claimed. ${plural(unclaimed, "It stays", "They stay")} claimable.`]
      : []),
  ];
}

const NO_MORE_CODES = "The app can no longer redeem metacodes for this campaign, so no codes are assigned.";

const PAUSED = {
  referral: "your app sees the program as paused",
  influencer: "its influencers are shown as paused",
};

/** The consequences of pausing. */
export function pauseConsequences(situation: Situation): string[] {
  return [
    NO_MORE_CODES,
    `Its landing pages say that the invitation is paused, and ${PAUSED[situation.campaign.type]}.`,
    ...referrerLine(situation, "can continue when you resume it."),
    ...openLines(situation),
  ];
}

/** If the referrer's own platform decides, the pool of the other platform pays referrers who are there. */
function poolLines({ campaign: { type, rewardsOn }, readiness: { platforms } }: Situation): string[] {
  const without = platforms.filter(({ reward }) => reward === null);
  if (type === "influencer" || without.length === 0) return [];
  const other = platforms.find(({ reward }) => rewardsOn === "referrer" && reward !== null);
  const names = without.map(({ platform }) => PLATFORM_NAME[platform]).join(" and ");
  const claimable = other
    ? `only referrers on ${PLATFORM_NAME[other.platform]} can claim rewards earned there`
    : "rewards there can never be claimed";
  return [`No reward pool is selected for ${names}: ${claimable} then. Select one first.`];
}

/** The consequences of ending, after which a budget cannot be raised. */
export function endConsequences(situation: Situation): string[] {
  const { rewardBudget, spentRewards } = situation.campaign;
  const { unclaimed, inLine } = situation.outlook;
  const left = rewardBudget === null ? unclaimed : Math.max(0, rewardBudget - spentRewards);
  const beyond = Math.max(0, unclaimed - left);
  return [
    "This cannot be undone: an ended campaign never becomes active again. You can duplicate it.",
    NO_MORE_CODES,
    ...referrerLine(situation, "can no longer invite."),
    ...openLines({ ...situation, outlook: { ...situation.outlook, unclaimed: unclaimed - beyond } }),
    ...(beyond > 0
      ? [
          `${formatCount(beyond, "earned reward is", "earned rewards are")} beyond its budget and can never be claimed then. Raise the budget first.`,
        ]
      : []),
    ...(unclaimed > 0 ? poolLines(situation) : []),
    ...(inLine > 0
      ? [
          `${formatMany(inLine, "person loses a place", "people lose their places")} in line. Codes set aside for them return to the pool.`,
        ]
      : []),
  ];
}

/** The consequences of activating or resuming. */
export function startConsequences({ campaign, readiness }: Situation): string[] {
  const scheduled = campaign.startsAt !== null && campaign.startsAt > new Date();
  return [
    scheduled
      ? "It becomes active, but assigns codes only from its start date."
      : "Referees who redeem a metacode get its codes from now on.",
    campaign.type === "referral"
      ? "It applies to all users of the app, and their progress is counted in it."
      : "It runs beside all other campaigns, for its influencers only.",
    ...(readiness.active
      ? [`“${readiness.active.name}” is paused, because only one referral campaign can be active.`]
      : []),
  ];
}
