import { and, eq, inArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import { nameField, uidField } from "@/lib/contract/fields";
import { formatCount } from "@/lib/contract/format";
import { isErased } from "@/lib/contract/influencer";
import { sqlFunction } from "@/lib/platform/db/calls";
import { apps, referrals, referrerProgress, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { aliasesOf, findByUid } from "@/lib/program/end-users/find-by-trace";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

export const joinInput = z.object({
  uid: uidField("uid").refine((uid) => !isErased(uid), { error: "An erased user cannot be joined" }),
  otherUid: uidField("otherUid").refine((uid) => !isErased(uid), { error: "This is an erased user" }),
  reason: nameField("reason"),
  /** Confirms that the counts of two referrers stay apart, or that an unknown other id is right. */
  keepApart: z.literal("true").optional(),
});

const JOIN_UIDS = sqlFunction("join_uids", { app: "uuid", from: "text", to: "text" }).returns<boolean>();

/**
 * Joins two ids of one person, as a provider's alias event does: from now on an event that names one finds the referral of
 * the other, and events that waited are applied. Rewards and metacodes stay with the id that has them, so two referrers are
 * joined only with `keepApart`, and a referrer and their own friend never. Throws CONFLICT.
 */
export async function joinUids(ctx: Context, input: z.input<typeof joinInput>): Promise<void> {
  const { uid, otherUid, reason, keepApart } = parseInput(joinInput, input);
  if (uid === otherUid) fail("CONFLICT", "Enter an ID other than the user's own", { field: "otherUid" });
  await ctx.db.transaction(async (db) => {
    const locked = { ...ctx, db };
    // One join of an app at a time: of two that together make a person their own friend, the second sees the first.
    await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, ctx.app.id)).for("no key update");
    const ids = [await idsOf(locked, uid), await idsOf(locked, otherUid)] as const;
    await refuseOwnFriend(locked, ...ids);
    if (!keepApart) {
      await refuseTwoReferrers(locked, ...ids);
      await refuseUnknown(locked, otherUid, uid);
    }
    if (!(await db.call(JOIN_UIDS, { app: ctx.app.id, from: uid, to: otherUid })))
      fail("CONFLICT", "These IDs are already joined", { field: "otherUid" });
    await recordAudit(db, ctx, {
      action: "person.joined",
      subject: "person",
      subjectId: uid,
      after: { uid: otherUid, reason },
    });
  });
}

/** An id and those that are joined with it. */
const idsOf = async (ctx: Context, uid: string) => [uid, ...(await aliasesOf(ctx, uid))];

/** Refuses to join two referrers: their counts are never added up, as a reward claimed for one could not be undone. */
async function refuseTwoReferrers(ctx: Context, some: string[], others: string[]): Promise<void> {
  const rows = await ctx.db.orm
    .select({
      uid: referrers.uid,
      metacode: referrers.slug,
      confirmed: sql<number>`coalesce(sum(${referrerProgress.confirmed}), 0)::int`,
    })
    .from(referrers)
    .leftJoin(
      referrerProgress,
      and(eq(referrerProgress.appId, referrers.appId), eq(referrerProgress.referrerId, referrers.id)),
    )
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.uid, [...some, ...others])))
    .groupBy(referrers.uid, referrers.slug)
    .orderBy(referrers.uid);
  if (![some, others].every((ids) => rows.some((row) => ids.includes(row.uid)))) return;
  const counts = rows.map(
    ({ uid, metacode, confirmed }) =>
      `${uid} (${metacode}) has ${formatCount(confirmed, "confirmed referral")}`,
  );
  fail(
    "CONFLICT",
    `Both IDs are referrers: ${counts.join(", and ")}. Joining does not add these up. Tick the box to join them anyway, and grant a goodwill reward if one is missing`,
    { field: "keepApart" },
  );
}

/** Refuses ids that would make a person their own friend, who would earn by a code taken under another id. */
async function refuseOwnFriend({ app, db }: Context, some: string[], others: string[]): Promise<void> {
  const between = (invited: string[], by: string[]) =>
    and(inArray(referrals.refereeUid, invited), inArray(referrers.uid, by));
  const found = await db.orm
    .select({ referrer: referrers.uid, referee: referrals.refereeUid, reversed: referrals.reversedAt })
    .from(referrals)
    .innerJoin(referrers, and(eq(referrers.appId, referrals.appId), eq(referrers.id, referrals.referrerId)))
    .where(and(eq(referrals.appId, app.id), or(between(some, others), between(others, some))))
    // Waits for the withdrawal of a refund, which may end a reversal; a later one sees the join.
    .for("share", { of: referrals });
  const own = found.find(({ reversed }) => !reversed);
  if (!own) return;
  fail(
    "CONFLICT",
    `${own.referee} has a code by the metacode of ${own.referrer}, so one person would have referred themselves. Release that redemption, or reverse the referral, then join the IDs`,
    { field: "otherUid" },
  );
}

/** Throws CONFLICT for an unknown id, because a mistyped one would stay joined. */
async function refuseUnknown(ctx: Context, uid: string, ownUid: string): Promise<void> {
  if ((await findByUid(ctx, uid)).length > 0) return;
  const meant = await findSpelling(ctx, uid, ownUid);
  // A page shows an id with a space around it like the one without.
  const spaced = uid !== uid.trim() && "The ID begins or ends with a space. Remove the space";
  const hint = spaced || (meant ? `Did you mean ${meant}? Correct it` : "Check it");
  fail("CONFLICT", `Nothing is known about ${uid} here. ${hint}, or tick the box to join it anyway`, {
    field: "otherUid",
  });
}

/** The known id for which a mistyped one probably stands: without outer spaces, in lower or in upper case. */
export async function findSpelling(ctx: Context, uid: string, except = uid): Promise<string | undefined> {
  const trimmed = uid.trim();
  for (const spelling of new Set([trimmed, trimmed.toLowerCase(), trimmed.toUpperCase()]))
    if (spelling !== except && (await findByUid(ctx, spelling)).length > 0) return spelling;
  return undefined;
}
