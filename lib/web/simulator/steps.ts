import { and, eq, isNull } from "drizzle-orm";
import type { ClaimResponse } from "@/lib/contract/claim";
import { formatCount, formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import type { RedeemResponse } from "@/lib/contract/redeem";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import type { SimulatedStepName } from "@/lib/contract/simulator";
import { databaseNow } from "@/lib/platform/db/chunks";
import { apps, refereesInLine } from "@/lib/platform/db/schema";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { type Connection, listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { findConnection } from "@/lib/program/connections/find";
import { PROVIDERS } from "@/lib/program/providers/registry";
import type { Context } from "@/lib/tenants/context";
import { callEndpoint, REFERRER_GONE, StepFailure, sendTo } from "@/lib/web/simulator/exchange";
import type { Journey } from "@/lib/web/simulator/journey";
import { visitLandingPage } from "@/lib/web/simulator/landing-step";
import { awaitWebhooks } from "@/lib/web/simulator/webhook-step";

/** A connection that accepts events; one that signs with a secret known here is tried first. */
function usable(connections: Connection[]): Connection | undefined {
  const working = connections.filter(
    ({ enabled, waiting, unreadable }) => enabled && !waiting && !unreadable,
  );
  return working.find(({ provider }) => PROVIDERS[provider].adapter.secret.from !== "none");
}

/** Sends each friend's purchase as the provider would, with its proof. */
async function confirmPurchases(journey: Journey): Promise<StepResult> {
  const { ctx, handlers, friends } = journey;
  const connections = await listConnections(ctx);
  const connection = usable(connections);
  const record = connection && (await findConnection(ctx.db, connection.provider, connection.id));
  if (!connection || !record) throw new StepFailure(noConnection(connections));
  const { provider, id } = connection;
  const { secret, signingSecret } = record;
  for (const uid of friends) {
    const purchase = { kind: "purchase", uid, secret, signingSecret, now: databaseNow() } as const;
    const sample = PROVIDERS[provider].adapter.sample(purchase);
    const { status, text } = await sendTo(journey, {
      handler: handlers.provider,
      method: "POST",
      path: `/api/providers/${provider}/${id}`,
      params: { provider, connectionId: id },
      headers: sample.headers,
      body: new Uint8Array(sample.rawBody),
    });
    const verdict = status === 200 ? JSON.parse(text).status : undefined;
    if (verdict !== "confirmed") throw new StepFailure(notConfirmed(connection, status, verdict));
  }
  const label = toConnectionView(connection).label;
  return {
    note: `${label} reported ${formatCount(friends.length, "purchase, which confirmed a referral", "purchases, and each confirmed a referral")}.`,
  };
}

function noConnection(connections: Connection[]) {
  const waiting = connections.find((connection) => connection.enabled && connection.waiting);
  if (waiting) {
    return {
      why: `${toConnectionView(waiting).label} is connected, but its secret has not been entered.`,
      todo: "Enter the provider’s secret.",
      section: { path: `/providers/${waiting.id}`, name: "Connection" },
    };
  }
  return {
    why:
      connections.length > 0
        ? "No connected provider can send a test purchase: it is disabled, its secret cannot be read, or only the store can sign its events."
        : "No provider is connected, so no purchase can confirm a referral.",
    todo: "Connect a provider to this sandbox, such as RevenueCat or your own server.",
    section: { path: "/providers", name: "Providers" },
  };
}

function notConfirmed(connection: Connection, status: number, verdict: string | undefined) {
  const label = toConnectionView(connection).label;
  return {
    why:
      verdict === undefined
        ? `The address of ${label} answered ${status}.`
        : `The event of ${label} was accepted with the outcome “${verdict}”, so it confirmed nothing.`,
    todo: "Open the event in the provider’s log: it says why.",
    section: { path: `/providers/${connection.id}`, name: "Connection" },
  };
}

/** The result of a step in one sentence. */
export interface StepResult {
  note: string;
  skipped?: boolean;
}

/** Maximum friends of one journey, so that it never empties a pool. */
const MAX_FRIENDS = 10;

const CAMPAIGNS = { path: "/campaigns", name: "Campaigns" };

/** The work of each step. */
export const STEP_RUNS: Record<SimulatedStepName, (journey: Journey) => Promise<StepResult>> = {
  referrer: getMetacode,
  landing: visitLandingPage,
  redeem: redeemForFriends,
  purchase: confirmPurchases,
  reward: lookAtProgress,
  claim: claimReward,
  webhook: awaitWebhooks,
};

async function getMetacode(journey: Journey): Promise<StepResult> {
  const { referrerUid: uid, platform } = journey;
  const answer = await callEndpoint<ReferrerResponse>(journey, "referrer", "/api/referrer", { uid });
  journey.metacode = answer.metacode;
  journey.referrerId = answer.referrer_id;
  journey.threshold = answer.progress[platform].threshold;
  const store = PLATFORM_NAME[platform];
  if (answer.status !== "active") {
    throw new StepFailure({
      why: `The referrer is ${answer.status}, because the campaign is.`,
      todo: "Activate or resume a campaign of this sandbox.",
      section: CAMPAIGNS,
    });
  }
  if (journey.threshold === 0) {
    throw new StepFailure({
      why: `No active referral campaign of this sandbox runs on ${store}.`,
      todo: `Activate one, or add ${store} to it.`,
      section: CAMPAIGNS,
    });
  }
  return {
    note: `The metacode is ${answer.metacode}. On ${store}, ${formatCount(journey.threshold, "confirmed friend earns", "confirmed friends earn")} a reward.`,
  };
}

async function redeemForFriends(journey: Journey): Promise<StepResult> {
  const { metacode, platform, run, threshold } = journey;
  const count = Math.min(threshold, MAX_FRIENDS);
  for (let n = 1; n <= count && !journey.signal.aborted; n += 1) {
    const uid = `simulated-friend-${run}-${n}`;
    const click = n === 1 && journey.clickId ? { click_id: journey.clickId } : {};
    const body = { referee_uid: uid, metacode, platform, ...click };
    try {
      await callEndpoint<RedeemResponse>(journey, "redeem", "/api/referee-redeem", body);
    } catch (error) {
      await leaveLine(journey.ctx, uid);
      throw (await noPool(journey, "referee")) ?? (await beyondCap(journey)) ?? error;
    }
    journey.friends.push(uid);
  }
  return { note: `${formatCount(journey.friends.length, "friend")} got a promo code from the sandbox.` };
}

/** The cause where the campaign names no pool: more codes would not help. */
async function noPool({ ctx, platform }: Journey, use: "referee" | "reward") {
  const campaigns = await listCampaigns(ctx);
  const campaign = campaigns.find(({ type, status }) => type === "referral" && status === "active");
  const rules = campaign?.platforms.find((rule) => rule.platform === platform);
  if (!campaign || !rules || rules[`${use}PoolId`]) return undefined;
  return new StepFailure({
    why: `The campaign “${campaign.name}” has no ${use} pool for ${PLATFORM_NAME[platform]}.`,
    todo: "Choose a pool.",
    section: { path: `/campaigns/${campaign.id}`, name: "Campaign" },
  });
}

/** The cause where the app lets a referrer bring no more friends in 24 hours. {@link leaveLine} ends the friend's review. */
async function beyondCap({ ctx, friends, threshold }: Journey): Promise<StepFailure | undefined> {
  const [app] = await ctx.db.orm
    .select({ cap: apps.referrerDailyCap })
    .from(apps)
    .where(eq(apps.id, ctx.app.id));
  if (typeof app?.cap !== "number" || friends.length < app.cap) return undefined;
  return new StepFailure({
    why: `A referrer of this sandbox may bring ${formatCount(app.cap, "friend")} in 24 hours, and the campaign asks for ${formatNumber(threshold)}.`,
    todo: "Raise that limit of the sandbox, or lower the threshold of its campaign for a test.",
    section: { path: "/settings/rules", name: "Retries and fraud" },
  });
}

/** Removes a simulated friend from the line, where the next import would set a code aside for it. */
async function leaveLine({ db, app }: Context, uid: string): Promise<void> {
  const { appId, refereeUid, codeId } = refereesInLine;
  await db.orm.delete(refereesInLine).where(and(eq(appId, app.id), eq(refereeUid, uid), isNull(codeId)));
}

async function lookAtProgress(journey: Journey): Promise<StepResult> {
  const { platform, referrerUid: uid, threshold } = journey;
  const answer = await callEndpoint<ReferrerResponse>(journey, "referrer", "/api/referrer", { uid });
  if (answer.referrer_id !== journey.referrerId) throw new StepFailure(REFERRER_GONE);
  const available = answer.stats.rewards_available;
  if (available > 0) return { note: `${formatCount(available, "reward was", "rewards were")} earned.` };
  const held = answer.stats.referrals_held ?? 0;
  if (held > 0) {
    journey.held = true;
    return {
      skipped: true,
      note: `${formatCount(held, "confirmed friend is", "confirmed friends are")} on hold: the campaign counts a friend only after some days, and earns a reward then. Set its hold to 0 days to see this step.`,
    };
  }
  const { current } = answer.progress[platform];
  throw new StepFailure({
    why:
      threshold > MAX_FRIENDS
        ? `The campaign asks for ${formatNumber(threshold)} confirmed friends. A journey brings at most ${MAX_FRIENDS}, and ${current} count.`
        : `${current} of ${formatNumber(threshold)} confirmed friends count, and no reward was earned: the campaign’s rules hold it back.`,
    todo:
      threshold > MAX_FRIENDS
        ? "Lower the threshold of the sandbox’s campaign for a test."
        : "Look at the rules of the campaign, such as its maximum rewards.",
    section: CAMPAIGNS,
  });
}

async function claimReward(journey: Journey): Promise<StepResult> {
  const { referrerUid: uid, platform } = journey;
  if (journey.held) return { skipped: true, note: "There is nothing to claim before the hold ends." };
  const body = { uid, platform };
  try {
    const { message } = await callEndpoint<ClaimResponse>(journey, "claim", "/api/referrer-claim", body);
    return { note: message };
  } catch (error) {
    throw (await noPool(journey, "reward")) ?? error;
  }
}
