import { and, eq, inArray, sql } from "drizzle-orm";
import { isErased } from "@/lib/contract/influencer";
import { awaitEarlier, databaseTime } from "@/lib/platform/db/chunks";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import {
  apps,
  codeReplacements,
  codes,
  endUserNotes,
  erasedEndUsers,
  refereesInLine,
  referrers,
  undoneSteps,
} from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { COMMIT_S } from "@/lib/platform/jobs/rounds";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { holdingsOf } from "./holdings";
import { pseudonymOf, uidHash } from "./pseudonym";
import { type Forgotten, scrubAudit, scrubEvents, scrubResponses } from "./scrub";

type Holdings = Awaited<ReturnType<typeof holdingsOf>>;

/**
 * Erases an end user: deletes uid, name, metadata, notes and provider payloads, and keeps counts and codes under a
 * keyed hash, so that the uid gets no second code in a campaign. Unclaimed rewards are lost. Safe to repeat. Throws
 * NOT_FOUND.
 */
export async function eraseEndUser(
  ctx: Context,
  uid: string,
): Promise<{ referrals: number; referrer: boolean }> {
  // Under a second pseudonym the uid would be free to redeem again.
  if (isErased(uid)) fail("NOT_FOUND", "This user is erased already", { field: "uid" });
  const hash = uidHash(ctx.app.id, uid);
  const person = { uid, pseudonym: pseudonymOf(hash) };
  const since = await beforeNow(ctx);
  const before = await holdingsOf(ctx, uid);
  // Before the transaction, so that every redeem of this uid that stores a referral during or after it reads the mark.
  await markErased(ctx);
  await awaitEarlier(ctx.db, COMMIT_S, "redeem");
  await storeMark(ctx, hash);
  // Before the transaction: an erasure that stops in between is repeated as a whole.
  const scrubbed = await scrub(ctx, person, before);
  const { held, counts } = await inTransaction(ctx, async (ctx) => {
    // Locked before the referrer, as when holds end.
    await awaitReferrals(ctx, uid);
    // Waits for a claim that holds the referrer, so that its rows are found; locked before the places, as in a redeem.
    const referrer = and(eq(referrers.appId, ctx.app.id), eq(referrers.uid, uid));
    const locked = await ctx.db.orm
      .select({ id: referrers.id })
      .from(referrers)
      .where(referrer)
      .for("update");
    if (locked[0]) await awaitRewards(ctx, locked[0].id);
    await awaitPlaces(ctx, uid);
    const held = await holdingsOf(ctx, uid);
    const counts = { referrals: held.referrals.length, referrer: held.referrer !== undefined };
    await forget(ctx, person, held, scrubbed);
    await recordAudit(ctx.db, ctx, {
      action: "person.erased",
      subject: "person",
      subjectId: person.pseudonym,
      after: counts,
    });
    return { held, counts };
  });
  // Rows that were stored during the first scrub, or that running requests still store from what they read before it.
  await awaitEarlier(ctx.db, COMMIT_S);
  await scrub(ctx, { ...person, since }, held);
  return counts;
}

/** Runs one step of an erasure in a transaction. */
const inTransaction = <Result>(ctx: Context, step: (ctx: Context) => Promise<Result>): Promise<Result> =>
  ctx.db.transaction((db) => step({ ...ctx, db }));

/** Waits for a member's replacement, release or unlinking of the person's referral, so that the rows it stores are found. */
async function awaitReferrals({ app, db }: Context, uid: string): Promise<void> {
  await db.orm.execute(
    sql`select from referrals where app_id = ${app.id} and referee_uid = ${uid} order by created_at for update`,
  );
}

/** As {@link awaitReferrals}, for the rewards that the person earned. */
async function awaitRewards({ app, db }: Context, referrerId: string): Promise<void> {
  await db.orm.execute(
    sql`select from rewards where app_id = ${app.id} and referrer_id = ${referrerId} order by id for update`,
  );
}

/** A time before that of every row stored from now on: some have the time of a machine, others that of the database. */
async function beforeNow({ db }: Context): Promise<Date> {
  return new Date(Math.min(Date.now(), (await databaseTime(db)).getTime()) - 1000 * COMMIT_S);
}

/** Renames the rows of the person. Throws NOT_FOUND if there are none and no event was scrubbed. */
async function forget(ctx: Context, person: Forgotten, held: Holdings, scrubbed: number) {
  const { notes, referrals: own, undone } = held;
  const places = held.places.filter(({ createdAt }) => createdAt > OVER);
  if (!held.referrer && notes.length + own.length + places.length + undone.length + scrubbed === 0) {
    fail("NOT_FOUND", "Nothing is stored about this uid", { field: "uid" });
  }
  await forgetReferee(ctx, person, held);
  await forgetCodes(ctx, person, held);
  await forgetUndone(ctx, person, held);
  if (held.referrer) await forgetReferrer(ctx, person, held.referrer.id);
}

/** From now on redeem also checks the hash of each uid. */
async function markErased({ app, db }: Context): Promise<void> {
  await db.orm.update(apps).set({ hasErased: true }).where(eq(apps.id, app.id));
}

/**
 * Stores the time of the erasure, even if nothing else is stored about the uid, so that an earlier request that is stored
 * later does not name the person. Waits for requests that are being stored, to delete their rows too.
 */
async function storeMark(ctx: Context, hash: Buffer): Promise<void> {
  await inTransaction(ctx, async ({ app, db }) => {
    await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, app.id)).for("update");
    await db.orm
      .insert(erasedEndUsers)
      .values({ appId: app.id, uidHash: hash })
      .onConflictDoUpdate({
        target: [erasedEndUsers.appId, erasedEndUsers.uidHash],
        set: { createdAt: sql`excluded.created_at` },
      });
  });
}

/** Removes the person from events and the audit log; returns how many events named them. */
async function scrub(ctx: Context, person: Forgotten, held: Holdings): Promise<number> {
  const undone = held.undone.map(({ referralId }) => referralId);
  const referrals = [...held.referrals.map(({ id }) => id), ...undone];
  const subjects = [...referrals, ...held.rewards.map(({ id }) => id), held.referrer?.id].filter(
    (id) => id !== undefined,
  );
  const { name, display_name } = held.referrer?.metadata ?? {};
  const names = [name, display_name].filter((text) => typeof text === "string");
  await scrubAudit(ctx, { ...person, subjects, names });
  if (held.referrer) await scrubResponses(ctx, held.referrer.id);
  return (await deleteRequestSubjects(ctx, person.uid)) + (await scrubEvents(ctx, { ...person, referrals }));
}

/** Deletes the requests of a person from support's view. The log keeps its lines, which name no one. */
async function deleteRequestSubjects({ app, db }: Context, uid: string): Promise<number> {
  const done = await db.orm.execute(
    sql`delete from request_subjects where app_id = ${app.id} and uid = ${uid}`,
  );
  return done.rowCount ?? 0;
}

/** The arrival time with which the next round ends a place in line. */
const OVER = new Date(0);

/**
 * Occupies the person's place in line in every campaign that may assign codes. The insert waits for a redeem that is about
 * to store one, and a later redeem waits for the erasure.
 */
async function awaitPlaces({ app, db }: Context, uid: string): Promise<void> {
  await db.orm.execute(sql`
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, created_at)
    select app_id, id, ${uid}, 'ios', ${NIL_ID}, new_id(), ${OVER}
      from campaigns where app_id = ${app.id} and status in ('active', 'paused')
     order by id
    on conflict do nothing`);
}

async function forgetReferee({ app, db }: Context, person: Forgotten, held: Holdings): Promise<void> {
  const { uid, pseudonym } = person;
  await db.orm.delete(endUserNotes).where(and(eq(endUserNotes.appId, app.id), eq(endUserNotes.uid, uid)));
  // A redeem that ended since, whose code is not in `held`, is the first of a person who has returned. A second code of a
  // campaign gets an id, as in forgetReferrer: redeem finds the first one.
  const ids = held.referrals.map(({ id }) => id);
  await db.orm.execute(sql`
    update referrals f
       set confirmed_purchase = null, referee_uid = ${pseudonym} || case when exists (
             select from referrals e where e.app_id = f.app_id and e.campaign_id = f.campaign_id and e.referee_uid = ${pseudonym})
             then ':' || id::text else '' end
     where app_id = ${app.id} and referee_uid = ${uid} and id = any(${sql.param(ids)}::uuid[])`);
  // Their places in line end with the next round, which frees a code that is set aside.
  await db.orm
    .update(refereesInLine)
    .set({
      refereeUid: sql`${`${pseudonym}:`} || place::text`,
      createdAt: OVER,
      reservedUntil: sql`case when code_id is not null then ${OVER}::timestamptz end`,
    })
    .where(and(eq(refereesInLine.appId, app.id), eq(refereesInLine.refereeUid, uid)));
  // The key begins with platform and offer, so naming them avoids a scan. A person who returned after an earlier erasure
  // has offers under both names, and the offer of a redeem that ended since stays.
  await db.orm.execute(sql`with had as (
      delete from offer_takers t
       where app_id = ${app.id} and platform in ('ios', 'android') and uid = ${uid}
         and offer = any(array(select distinct offer from batches where app_id = ${app.id} and offer is not null))
         and not exists (
           select 1 from referrals f join codes c on c.app_id = f.app_id and c.assignment_id = f.id
             join batches b on b.app_id = c.app_id and b.id = c.batch_id
            where f.app_id = t.app_id and f.referee_uid = ${uid} and c.platform = t.platform and b.offer = t.offer)
      returning app_id, platform, offer, created_at)
    insert into offer_takers (app_id, platform, offer, uid, created_at)
    select app_id, platform, offer, ${pseudonym}, created_at from had
    on conflict do nothing`);
}

/** Scrubs the assigned and the released codes, the codes that they replaced, and the reasons of the replacements. */
async function forgetCodes({ app, db }: Context, person: Forgotten, held: Holdings): Promise<void> {
  const assignments = [
    ...[...held.referrals, ...held.rewards].map(({ id }) => id),
    ...held.undone.map(({ referralId }) => referralId),
  ];
  if (assignments.length === 0) return;
  const replaced = await db.orm
    .update(codeReplacements)
    .set({ reason: "Erased" })
    .where(and(eq(codeReplacements.appId, app.id), inArray(codeReplacements.assignmentId, assignments)))
    .returning({ id: codeReplacements.oldCodeId });
  const ids = [...held.codes, ...replaced].map(({ id }) => id);
  if (ids.length === 0) return;
  await db.orm
    .update(codes)
    .set({ redeemedByUid: person.pseudonym })
    .where(and(eq(codes.appId, app.id), inArray(codes.id, ids), eq(codes.redeemedByUid, person.uid)));
}

async function forgetUndone({ app, db }: Context, person: Forgotten, held: Holdings): Promise<void> {
  if (held.undone.length === 0) return;
  const ids = held.undone.map(({ id }) => id);
  await db.orm
    .update(undoneSteps)
    .set({ refereeUid: person.pseudonym })
    .where(and(eq(undoneSteps.appId, app.id), inArray(undoneSteps.id, ids)));
}

/**
 * The referrer's id is part of the pseudonym, because a person who returned after an earlier erasure is a second
 * referrer.
 */
async function forgetReferrer({ app, db }: Context, person: Forgotten, id: string): Promise<void> {
  await db.orm
    .update(referrers)
    .set({ uid: `${person.pseudonym}:${id}`, metadata: null, notes: null, status: "ended" })
    .where(and(eq(referrers.appId, app.id), eq(referrers.id, id)));
}
