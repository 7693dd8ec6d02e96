import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { RedeemInput, RedeemResponse } from "@/lib/contract/redeem";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { GroupCommit } from "@/lib/platform/db/group-commit";
import { idempotencyKeys } from "@/lib/platform/db/schema";
import type { Idempotency } from "@/lib/platform/idempotency/key";
import { singleton } from "@/lib/platform/singleton";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { ENGLISH, type OwnApiTexts, textsIn } from "@/lib/program/texts/api-texts";
import type { Context } from "@/lib/tenants/context";
import { callOnce, QUOTA_PARAMETERS } from "@/lib/tenants/quota/call";
import { withinAddressCap } from "./address-cap";
import { allowGuess, countKnownMetacode, countUnknownMetacode } from "./guessing";
import { type RedeemResult, redeemAnswer } from "./redeem-answer";
import { redeemSandboxMetacode } from "./sandbox-metacodes";

export interface RedeemRequest extends RedeemInput {
  /** The language that the caller named. */
  language?: LandingLanguage | undefined;
  idempotency?: Idempotency | undefined;
}

/**
 * Section 4.3: assigns the referee one code of the metacode's campaign, in one round trip that also counts the request.
 * Throws METACODE_NOT_FOUND, CAMPAIGN_INACTIVE, ALREADY_REDEEMED, CONFLICT, NO_CODES_AVAILABLE, RATE_LIMITED.
 */
export async function redeemMetacode(
  ctx: Context,
  request: RedeemRequest,
): Promise<{ body: RedeemResponse; replayed: boolean; language: LandingLanguage }> {
  const texts = await textsIn(ctx, request.language);
  const sandboxAnswer = await redeemSandboxMetacode(ctx, request, texts);
  if (sandboxAnswer) {
    return { body: sandboxAnswer, replayed: false, language: texts?.language ?? ENGLISH.language };
  }
  await allowGuess(ctx, request.refereeUid);
  const redeem = { ctx, request, texts, referralId: uuidv7() };
  // A request that its own statement counts runs alone: the quota's row may stay locked for longer, or refuse it.
  const alone = ctx.meter.statement().quota_units > 0;
  const result = await withinAddressCap(ctx, (beyond) =>
    alone || beyond ? redeemAlone({ ...redeem, beyond }) : groupCommitOf(ctx).run(redeem),
  );
  if (result.verdict === "OK" && !result.replayed) countKnownMetacode(ctx);
  if (result.verdict === "METACODE_NOT_FOUND" && !result.redemption && !result.replayed) {
    await countUnknownMetacode(ctx, request.refereeUid).catch(async (refusal: unknown) => {
      await forgetAnswer(ctx, request.idempotency);
      throw refusal;
    });
  }
  const body = redeemAnswer(result);
  const { language } = ("texts" in result && result.texts) || ENGLISH;
  return { body, replayed: result.replayed ?? false, language };
}

/** Deletes the stored 404 of a request that is refused after all: the retry that the refusal invites would replay it. */
async function forgetAnswer({ db, app }: Context, idempotency?: Idempotency): Promise<void> {
  if (!idempotency) return;
  const { appId, operation, key, requestHash } = idempotencyKeys;
  const own = and(eq(appId, app.id), eq(operation, "redeem"), eq(key, idempotency.key));
  await db.orm.delete(idempotencyKeys).where(and(own, eq(requestHash, idempotency.hash)));
}

/** One redeem on its way to the database. */
interface Redeem {
  ctx: Context;
  request: RedeemRequest;
  /** The texts of the response, stored with it; null for English without texts of the owner. */
  texts: OwnApiTexts | null;
  referralId: string;
  /** The cap that the caller has found exceeded. */
  beyond?: "codes_per_address" | undefined;
}

type RedeemCommit = GroupCommit<Redeem, RedeemResult>;

/**
 * Simultaneous redeems of an app share a statement. Grouped by app because of the shards, and so that no tenant
 * waits for another.
 */
function groupCommitOf({ db, app }: Context): RedeemCommit {
  const byDatabase = singleton("redeem-commits", () => new WeakMap<Db, Map<string, RedeemCommit>>());
  const byApp = byDatabase.get(db) ?? new Map<string, RedeemCommit>();
  byDatabase.set(db, byApp);
  const existing = byApp.get(app.id);
  if (existing) return existing;
  // Redeems of a campaign with a budget wait for its row until the commit. The last code tells whether there is one.
  let serial = false;
  const noteBudget = (results: readonly (RedeemResult | undefined)[]) => {
    for (const result of results) if (result?.verdict === "OK") serial = result.budget ?? false;
  };
  const commit: RedeemCommit = new GroupCommit({
    runAlone: async (redeem) => {
      const result = await redeemAlone(redeem);
      noteBudget([result]);
      return result;
    },
    runTogether: async (redeems) => {
      const results = await redeemTogether(db, app.id, redeems);
      noteBudget(results);
      return results;
    },
    conflictKeys,
    serial: () => serial,
    onEmpty: () => byApp.delete(app.id),
  });
  byApp.set(app.id, commit);
  return commit;
}

/**
 * Rows on which two redeems would wait for each other. The referee comes first, because groups lock referees in
 * this order.
 */
function conflictKeys({ request }: Redeem): [string, ...string[]] {
  const { refereeUid, clickId, idempotency } = request;
  const keys: [string, ...string[]] = [`referee ${refereeUid}`];
  if (clickId) keys.push(`click ${clickId}`);
  if (idempotency) keys.push(`key ${idempotency.key}`);
  return keys;
}

export const REDEEM_METACODE = sqlFunction("redeem_metacode", {
  app: "uuid",
  slug: "text",
  platform: "text",
  referee_uid: "text",
  referral_id: "uuid",
  click_id: "uuid?",
  pseudonym: "text?",
  key: "text?",
  hash: "bytea?",
  ...QUOTA_PARAMETERS,
  texts: "text?",
  beyond: "text?",
}).returns<RedeemResult>();

/** Null for a redeem that has to run in its own statement. */
const REDEEM_TOGETHER = sqlFunction("redeem_together", {
  app: "uuid",
  slugs: "text[]",
  platforms: "text[]",
  referee_uids: "text[]",
  referral_ids: "uuid[]",
  click_ids: "uuid?[]",
  pseudonyms: "text?[]",
  keys: "text?[]",
  hashes: "bytea?[]",
  texts: "text?[]",
}).returns<(RedeemResult | null)[]>();

/** The arguments of one redeem, for both functions. */
function argumentsOf({ ctx, request, texts, referralId }: Redeem) {
  const { metacode, platform, refereeUid, clickId, idempotency } = request;
  return {
    slug: metacode,
    platform,
    referee_uid: refereeUid,
    referral_id: referralId,
    click_id: clickId ?? null,
    pseudonym: pseudonymIn(ctx.app.id, refereeUid),
    key: idempotency?.key ?? null,
    hash: idempotency?.hash ?? null,
    texts: texts && JSON.stringify(texts),
  };
}

const redeemAlone = (redeem: Redeem): Promise<RedeemResult> =>
  callOnce(redeem.ctx, REDEEM_METACODE, {
    app: redeem.ctx.app.id,
    ...argumentsOf(redeem),
    beyond: redeem.beyond ?? null,
  });

async function redeemTogether(
  db: Db,
  appId: string,
  redeems: readonly Redeem[],
): Promise<(RedeemResult | undefined)[]> {
  const rows = redeems.map(argumentsOf);
  const results = await db.call(REDEEM_TOGETHER, {
    app: appId,
    slugs: rows.map((row) => row.slug),
    platforms: rows.map((row) => row.platform),
    referee_uids: rows.map((row) => row.referee_uid),
    referral_ids: rows.map((row) => row.referral_id),
    click_ids: rows.map((row) => row.click_id),
    pseudonyms: rows.map((row) => row.pseudonym),
    keys: rows.map((row) => row.key),
    hashes: rows.map((row) => row.hash),
    texts: rows.map((row) => row.texts),
  });
  return results.map((result) => result ?? undefined);
}
