import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Platform } from "@/lib/contract/fields";
import { campaigns, referrals, referrerProgress, rewards } from "@/lib/platform/db/schema";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { inParallel } from "@/lib/testing/parallel";
import type { Tenant } from "@/lib/testing/tenant";

const CONNECTION = "01900000-0000-7000-8000-00000000c0de";

/** The time of an event at the store, its purchase, and its meaning where that differs. */
export interface EventOptions extends Partial<Confirmation> {
  at?: number;
  purchase?: string;
}

/** Receives a provider event about an end user, or about no user (""), and returns its outcome. */
export async function applyEvent(
  ctx: Context,
  uid: string,
  kind: Confirmation["kind"] = "confirm",
  { at, purchase, ...rest }: EventOptions = {},
): Promise<string> {
  const eventId = uuidv7();
  const { status } = await receiveConfirmation(ctx, CONNECTION, {
    eventId,
    type: "TEST",
    uids: uid ? [uid] : [],
    payload: {},
    confirmation: { kind, paid: true, renewal: false, sandbox: false, ...rest },
    occurredAt: at ?? null,
    purchaseId: purchase ?? null,
    links: [],
  });
  return status;
}

/**
 * Gives every referee of the app, or `as` in place of the only referee, a referral of another campaign. Returns the ids of
 * the new referrals, and a function that reads the statuses of the older and the new referrals.
 */
export async function redeemAgain(
  { app, db: { orm } }: Context,
  { confirmOn = "paid" as "paid" | "start", as = null as string | null } = {},
) {
  const ofApp = eq(referrals.appId, app.id);
  const older = await orm.select().from(referrals).where(ofApp).orderBy(referrals.refereeUid);
  const campaignId = uuidv7();
  await orm.insert(campaigns).values({
    appId: app.id,
    id: campaignId,
    name: "Next",
    activatedAt: new Date(),
    type: "influencer",
    status: "active",
    confirmOn,
  });
  const newer = older.map(({ appId, referrerId, platform, refereeUid }) => ({
    appId,
    referrerId,
    platform,
    campaignId,
    id: uuidv7(),
    refereeUid: as ?? refereeUid,
    createdAt: sql`now()`,
  }));
  await orm.insert(referrals).values(newer);
  const statuses = async () => {
    const rows = await orm.select().from(referrals).where(ofApp);
    return [...older, ...newer].map(({ id }) => rows.find((row) => row.id === id)?.status);
  };
  return { referralIds: newer.map(({ id }) => id), statuses };
}

/** Redeems `count` codes for new referees of a metacode and confirms each; throws when one fails. */
export async function refer(
  { ctx, key }: Tenant,
  metacode: string,
  count: number,
  platform: Platform = "ios",
): Promise<string[]> {
  const api = clientOf(key);
  return inParallel(count, 8, async () => {
    const uid = `referee-${uuidv7()}`;
    const { status, body } = await api.redeem(uid, metacode, platform);
    const outcome = await applyEvent(ctx, uid);
    if (status !== 200 || outcome !== "confirmed") {
      throw new Error(`${status} ${JSON.stringify(body)} ${outcome}`);
    }
    return uid;
  });
}

/** Inserts earned rewards of the referrer `uid`, without any referral. */
export async function earnRewards(
  { ctx, key, campaignId }: Pick<Tenant, "ctx" | "key" | "campaignId">,
  uid: string,
  earned: number,
  platform: Platform = "ios",
): Promise<void> {
  const { referrer_id: referrerId } = (await clientOf(key).referrer(uid)).body;
  const owner = { appId: ctx.app.id, referrerId, campaignId, platform };
  await ctx.db.orm.insert(referrerProgress).values({ ...owner, earned });
  const numbers = Array.from({ length: earned }, (_, index) => index + 1);
  await ctx.db.orm
    .insert(rewards)
    .values(numbers.map((rewardNumber) => ({ ...owner, id: uuidv7(), rewardNumber })));
}
