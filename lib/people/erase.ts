import { and, eq, inArray, sql } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { apps, codeReplacements, codes, erasedPeople, referrals, referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { holdingsOf } from "./holdings";
import { pseudonymOf, uidHash } from "./pseudonym";
import { scrubAudit } from "./scrub-audit";
import { scrubEvents } from "./scrub-events";

type Holdings = Awaited<ReturnType<typeof holdingsOf>>;

/**
 * Forgets one person of an app: uid, name, metadata, notes and provider payloads go, counts and codes stay under a
 * keyed hash, so that the same uid still gets no second code in a campaign. Unclaimed rewards are lost. Events and the
 * audit log go first: broken off after them, it is simply run again. Throws NOT_FOUND.
 */
export async function erasePerson(
  ctx: Context,
  uid: string,
): Promise<{ referrals: number; referrer: boolean }> {
  const hash = uidHash(ctx.app.id, uid);
  const pseudonym = pseudonymOf(hash);
  const scrubbed = await scrub(ctx, uid, pseudonym);
  return ctx.db.transaction(async (db) => {
    await lookForErased(ctx, db);
    await db.orm.insert(erasedPeople).values({ appId: ctx.app.id, uidHash: hash }).onConflictDoNothing();
    const held = await holdingsOf(ctx, uid, db);
    if (!held.referrer && held.referrals.length === 0 && scrubbed === 0) {
      fail("NOT_FOUND", "Nothing is stored of this uid", { field: "uid" });
    }
    await forgetReferee(ctx, db, uid, pseudonym);
    await forgetCodes(ctx, db, held, uid, pseudonym);
    if (held.referrer) await forgetReferrer(ctx, db, held.referrer.id, pseudonym);
    const counts = { referrals: held.referrals.length, referrer: held.referrer !== undefined };
    const entry = { action: "person.erased", subject: "person", subjectId: pseudonym, after: counts };
    await recordAudit(db, ctx, entry);
    return counts;
  });
}

/** From now on a redeem looks for the hash of its uid as well. */
async function lookForErased(ctx: Context, db: Db): Promise<void> {
  await db.orm.update(apps).set({ hasErased: true }).where(eq(apps.id, ctx.app.id));
}

/** Takes the person out of events and the audit log; returns how many events there were. */
async function scrub(ctx: Context, uid: string, pseudonym: string): Promise<number> {
  const held = await holdingsOf(ctx, uid);
  // Now, because a redeem of this very uid that waits for the erasure has read it before.
  if (held.referrals.length > 0) await lookForErased(ctx, ctx.db);
  const referrals = held.referrals.map(({ id }) => id);
  const subjects = [...referrals, ...held.rewards.map(({ id }) => id), held.referrer?.id].filter(
    (id) => id !== undefined,
  );
  await scrubAudit(ctx, { uid, pseudonym, subjects });
  return scrubEvents(ctx, { uid, pseudonym, referrals });
}

async function forgetReferee(ctx: Context, db: Db, uid: string, pseudonym: string): Promise<void> {
  await db.orm
    .update(referrals)
    .set({ refereeUid: pseudonym })
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, uid)));
  // The key leads with platform and offer: named, the rows are found without reading everybody's. Somebody who came
  // back after an earlier erasure has offers under both names.
  await db.orm.execute(sql`with had as (
      delete from offer_takers
       where app_id = ${ctx.app.id} and platform in ('ios', 'android') and uid = ${uid}
         and offer = any(array(select distinct offer from batches where app_id = ${ctx.app.id} and offer is not null))
      returning app_id, platform, offer, created_at)
    insert into offer_takers (app_id, platform, offer, uid, created_at)
    select app_id, platform, offer, ${pseudonym}, created_at from had
    on conflict do nothing`);
}

/** The codes in hand, dead ones that were replaced, and what was written about an exchange. */
async function forgetCodes(
  ctx: Context,
  db: Db,
  held: Holdings,
  uid: string,
  pseudonym: string,
): Promise<void> {
  const assignments = [...held.referrals, ...held.rewards].map(({ id }) => id);
  if (assignments.length === 0) return;
  const replaced = await db.orm
    .update(codeReplacements)
    .set({ reason: "Erased" })
    .where(and(eq(codeReplacements.appId, ctx.app.id), inArray(codeReplacements.assignmentId, assignments)))
    .returning({ id: codeReplacements.oldCodeId });
  const ids = [...held.codes, ...replaced].map(({ id }) => id);
  if (ids.length === 0) return;
  await db.orm
    .update(codes)
    .set({ redeemedByUid: pseudonym })
    .where(and(eq(codes.appId, ctx.app.id), inArray(codes.id, ids), eq(codes.redeemedByUid, uid)));
}

/** With its id in the name: somebody who came back after an earlier erasure is a second referrer. */
async function forgetReferrer(ctx: Context, db: Db, id: string, pseudonym: string): Promise<void> {
  await db.orm
    .update(referrers)
    .set({ uid: `${pseudonym}:${id}`, metadata: null, notes: null, status: "ended" })
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, id)));
}
