import { budgetState } from "@/lib/contract/campaign-view";
import { DAY_MS, formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { REMEDY_ONCE_ENDED, rewardsWait, type WaitingRewards } from "@/lib/outward/problems/detect-rewards";
import type { Problem } from "@/lib/outward/problems/problem";
import { type Campaign, currentSince } from "@/lib/program/campaigns/read";
import type { PoolStock } from "@/lib/program/stats/stock";
import type { AppRef } from "@/lib/tenants/context";

/** Problems of campaigns: none active, an active one without a pool or platform, a spent budget. Runs no statement. */
export function campaignProblems(
  app: AppRef,
  campaigns: Campaign[],
  stock: PoolStock[],
  waiting: WaitingRewards[],
): Problem[] {
  const active = campaigns.filter(({ status }) => status === "active");
  return [
    ...(active.length === 0 ? noneActive(campaigns, stock) : noReferrals(campaigns)),
    ...active.flatMap((campaign) => missingPools(campaign, waiting)),
    ...active.flatMap((campaign) => missingPlatforms(app, campaign)),
    ...campaigns.flatMap(spentBudgets),
    ...campaigns.flatMap((campaign) => endedBudget(campaign, waiting)),
  ];
}

/** A program that has stopped is urgent. Before the first campaign, uploaded codes are worth a hint. */
function noneActive(campaigns: Campaign[], stock: PoolStock[]): Problem[] {
  const common = { kind: "campaign", subject: "none active" } as const;
  const [last] = campaigns
    .filter(({ activatedAt }) => activatedAt)
    .sort((a, b) => currentSince(b) - currentSince(a));
  if (last) {
    const paused = last.status === "paused";
    return [
      {
        ...common,
        severity: "critical",
        title: `No campaign is active: “${last.name}” ${paused ? "is paused" : "has ended"}`,
        detail: `${paused ? "Resume it, or activate another one" : "Activate a campaign"}: until then friends get no codes.`,
        path: paused ? `/campaigns/${last.id}` : "/campaigns",
        action: paused ? "Resume the campaign" : "Activate a campaign",
        needs: "member",
      },
    ];
  }
  if (!stock.some(({ size }) => size > 0)) return [];
  return [
    {
      ...common,
      severity: "hint",
      title: "Codes are ready, but no campaign is active",
      detail: `${campaigns.some(({ status }) => status === "draft") ? "Activate" : "Create"} a campaign: until then friends get no codes.`,
      path: "/campaigns",
      action: "Activate a campaign",
      needs: "member",
    },
  ];
}

/** How long the end of a referral program is more than a hint beside influencer campaigns: it may be intended. */
const NEWS_MS = 30 * DAY_MS;

/** An influencer campaign assigns no code to the friends of ordinary referrers. */
function noReferrals(campaigns: Campaign[]): Problem[] {
  const own = campaigns.filter(({ type, activatedAt }) => type === "referral" && activatedAt);
  const [last] = own.sort((a, b) => currentSince(b) - currentSince(a));
  if (!last || own.some(({ status }) => status === "active")) return [];
  const { id, name, status, endsAt } = last;
  const paused = status === "paused";
  const isNews = paused || Number(endsAt) > Date.now() - NEWS_MS;
  return [
    {
      ...{ kind: "campaign", subject: "no referrals", severity: isNews ? "warning" : "hint" },
      title: `No referral campaign is active: “${name}” ${paused ? "is paused" : "has ended"}`,
      detail: `${paused ? "Resume it, or activate another one" : "Activate one"}: until then only the friends of influencers get codes.`,
      path: paused ? `/campaigns/${id}` : "/campaigns",
      action: paused ? "Resume the campaign" : "Activate a campaign",
      needs: "member",
    },
  ];
}

/** Influencer campaigns need no reward pool until a reward waits. */
function missingPools(campaign: Campaign, waiting: WaitingRewards[]): Problem[] {
  const { id, name, type, platforms, rewardsOn } = campaign;
  return platforms.flatMap(({ platform, refereePoolId, rewardPoolId }) => {
    const store = PLATFORM_NAME[platform];
    const common = {
      kind: "campaign",
      path: `/campaigns/${id}`,
      action: "Choose a pool",
      needs: "member",
    } as const;
    const rewards = waiting.find(
      (found) => found.campaign.id === id && found.platform === platform && found.reason === "no_pool",
    );
    // Rewards of referrers there are paid from this one if their own platform decides.
    const other = platforms.find((rules) => rewardsOn === "referrer" && rules.rewardPoolId);
    const claimable = other
      ? `can only be claimed by referrers on ${PLATFORM_NAME[other.platform]}`
      : "cannot be claimed";
    const found: Problem[] = [];
    if (!refereePoolId) {
      found.push({
        ...common,
        subject: `${id} ${platform} referee`,
        severity: "critical",
        title: `The campaign “${name}” has no referee pool for ${store}`,
        detail: `Choose a pool: friends on ${store} get no code.`,
      });
    }
    if (!rewardPoolId && (rewards || type === "referral")) {
      found.push({
        ...common,
        subject: `${id} ${platform} reward`,
        severity: rewards ? "critical" : "warning",
        title: `The campaign “${name}” has no reward pool for ${store}`,
        detail: `Choose a pool: rewards earned on ${store} ${claimable}.${rewards ? ` ${rewardsWait(rewards.count)}.` : ""}`,
      });
    }
    return found;
  });
}

/** Stores with the app but not the campaign: friends there get no code, and its landing pages omit the store. */
function missingPlatforms(app: AppRef, { id, name, platforms }: Campaign): Problem[] {
  const promised = [
    { platform: "ios", listed: app.appleAppId, field: "Apple app ID" },
    { platform: "android", listed: app.androidPackage, field: "Android package" },
  ] as const;
  return promised
    .filter(({ platform, listed }) => listed && !platforms.some((rules) => rules.platform === platform))
    .map(({ platform, field }) => ({
      kind: "campaign",
      subject: `${id} ${platform} link`,
      severity: "warning",
      title: `The campaign “${name}” does not run on ${PLATFORM_NAME[platform]}, where the app is`,
      detail: `Add ${PLATFORM_NAME[platform]} to the campaign, or remove the ${field} from the settings: its landing pages leave the store out, and friends there get no code.`,
      path: `/campaigns/${id}`,
      action: "Open campaign",
    }));
}

/**
 * Budgets of a campaign that are almost or completely used up. Only an active campaign assigns codes, but rewards of a
 * paused one can still be claimed.
 */
function spentBudgets(campaign: Campaign): Problem[] {
  const { id, name, status, codeBudget, spentCodes, rewardBudget, spentRewards } = campaign;
  const budgets = [
    { of: "codes", budget: status === "active" ? codeBudget : null, spent: spentCodes },
    {
      of: "rewards",
      budget: status === "active" || status === "paused" ? rewardBudget : null,
      spent: spentRewards,
    },
  ] as const;
  return budgets.flatMap(({ of, budget, spent }): Problem[] => {
    const state = budget === null ? "left" : budgetState(spent, budget);
    if (budget === null || state === "left") return [];
    const counts = `${formatNumber(spent)} of ${formatNumber(budget)} ${of}`;
    const common = {
      kind: "budget",
      path: `/campaigns/${id}/edit`,
      action: "Change the budget",
      needs: "member",
    } as const;
    if (state === "low") {
      return [
        {
          ...common,
          subject: `${id} ${of} low`,
          severity: "warning",
          title: `${Math.floor((spent * 100) / budget)}% of the ${of} of “${name}” are used`,
          detail: `Raise the budget if you want the campaign to go on: ${counts} are used. ${AT_THE_END[of]}`,
        },
      ];
    }
    return [
      {
        ...common,
        subject: `${id} ${of}`,
        includes: `${id} ${of} low`,
        severity: "critical",
        title: `The budget of “${name}” for ${of} is used up`,
        detail: `${REMEDY[of]}: ${counts} are used. ${NOW[of]}`,
      },
    ];
  });
}

/** Rewards over the budget of an ended campaign. They can no longer be claimed, because that budget cannot change. */
function endedBudget({ id, name }: Campaign, waiting: WaitingRewards[]): Problem[] {
  const beyond = waiting.filter(({ campaign, reason }) => campaign.id === id && reason === "budget");
  const count = beyond.reduce((sum, found) => sum + found.count, 0);
  if (count === 0) return [];
  return [
    {
      kind: "budget",
      subject: `${id} rewards`,
      severity: "warning",
      title: `${rewardsWait(count)} beyond the budget of “${name}”`,
      detail: `${REMEDY_ONCE_ENDED}: this one has ended, so its budget cannot be raised.`,
      path: `/campaigns/${id}`,
      action: "Open campaign",
    },
  ];
}

const AT_THE_END = {
  codes: "After that, friends get no code.",
  rewards: "After that, earned rewards wait.",
};

/** Ending a campaign is no remedy for rewards: those over its budget could no longer be claimed. */
const REMEDY = {
  codes: "Raise the budget, or end the campaign",
  rewards: "Raise the budget",
};

const NOW = {
  codes: "Friends get no code, and their links say so.",
  rewards: "Earned rewards wait until the budget has room.",
};
