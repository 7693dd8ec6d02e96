import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { uidField, vanityField } from "@/lib/contract/fields";
import { type InfluencerProfile, influencerProfile } from "@/lib/contract/influencer";
import { endUserNotes, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { renewReservations, setAsideForFriends } from "@/lib/program/line/line";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { reserveMetacode, updateMetacode } from "./metacode";
import { lockReferrer, profileOf, type Referrer, referrerSubject, withProfile } from "./record";

/**
 * Replaces an influencer's name, handle, notes and metacode, all or none. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT
 * for a taken metacode and for other referrers, RATE_LIMITED.
 */
export async function updateInfluencer(
  ctx: Context,
  { metacode, ...profile }: InfluencerProfile & { metacode: string },
): Promise<void> {
  const { referrerId, name = null, handle = null, notes = null } = parseInput(influencerProfile, profile);
  const slug = parseInput(vanityField, metacode, "metacode");
  await ctx.db.transaction(async (db) => {
    const scope = { ...ctx, db };
    await reserveMetacode(scope, referrerId, slug);
    const before = await lockReferrer(scope, referrerId);
    // The app describes its own users itself, in its API calls.
    if (before.campaignId === null) fail("CONFLICT", "Only influencers can be edited in the dashboard");
    const old = { ...profileOf(before.metadata), notes: before.notes };
    const after = { name, handle, notes: notes || null };
    await refuseUndoing(scope, referrerId, { ...old, metacode: before.slug }, { ...after, metacode: slug });
    await updateMetacode({ ...scope, seen: undefined }, referrerId, slug);
    await store(scope, referrerId, {
      metadata: withProfile(before.metadata ?? {}, { name, handle }),
      notes: after.notes,
    });
    await recordAudit(db, ctx, {
      action: "referrer.described",
      ...referrerSubject(before),
      ...changesOf(old, after),
    });
  });
}

export const notesInput = influencerProfile.pick({ referrerId: true, notes: true });

/** Replaces the team's notes about a referrer. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT. */
export async function updateReferrerNotes(ctx: Context, input: z.input<typeof notesInput>): Promise<void> {
  const { referrerId, notes } = parseInput(notesInput, input);
  await ctx.db.transaction(async (db) => {
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    const after = notes || null;
    await refuseUndoing({ ...ctx, db }, referrerId, { notes: before.notes }, { notes: after });
    if (before.notes === after) return;
    await store({ ...ctx, db }, referrerId, { notes: after });
    await recordAudit(db, ctx, {
      action: "referrer.noted",
      ...referrerSubject(before),
      // Without the text, because it is about a person, who may be erased.
      after: { notes: after === null ? "removed" : "changed" },
    });
  });
}

export const endUserNotesInput = influencerProfile.pick({ notes: true }).extend({ uid: uidField("uid") });

/** Replaces the team's notes about an end user, such as a referee. Throws VALIDATION_ERROR, CONFLICT. */
export async function updateEndUserNotes(ctx: Context, input: z.input<typeof endUserNotesInput>) {
  const { uid, notes } = parseInput(endUserNotesInput, input);
  const { appId, uid: of, notes: text } = endUserNotes;
  const own = and(eq(appId, ctx.app.id), eq(of, uid));
  await ctx.db.transaction(async (db) => {
    // Locks the row, or an empty one, against a second member.
    const [row] = await db.orm
      .insert(endUserNotes)
      .values({ appId: ctx.app.id, uid, notes: "" })
      .onConflictDoUpdate({ target: [appId, of], set: { notes: sql`${text}` } })
      .returning();
    const [before, after] = [row?.notes || null, notes || null];
    await refuseUndoing({ ...ctx, db }, uid, { notes: before }, { notes: after });
    if (after === null) await db.orm.delete(endUserNotes).where(own);
    else await db.orm.update(endUserNotes).set({ notes: after }).where(own);
    if (before === after) return;
    const entry = { action: "person.noted", subject: "person", subjectId: uid } as const;
    await recordAudit(db, ctx, { ...entry, after: { notes: after === null ? "removed" : "changed" } });
  });
}

type Status = Referrer["status"];

/** The statuses that each status can follow. `ended` is final. */
const FROM: Record<Status, Status[]> = {
  active: ["paused"],
  paused: ["active"],
  ended: ["active", "paused"],
};

const STATUS_ACTIONS = {
  active: "referrer.resumed",
  paused: "referrer.paused",
  ended: "referrer.ended",
} as const;

/** Pauses, resumes or ends a referrer; friends in line get codes only while it is active. Throws NOT_FOUND, CONFLICT. */
export async function updateReferrerStatus(ctx: Context, referrerId: string, status: Status): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    if (!FROM[status].includes(before.status)) {
      fail("CONFLICT", `The referrer is ${before.status} and cannot become ${status}`);
    }
    await store({ ...ctx, db }, referrerId, { status });
    if (status === "active") await renewReservations({ ...ctx, db }, { referrer: referrerId });
    await recordAudit(db, ctx, {
      action: STATUS_ACTIONS[status],
      ...referrerSubject(before),
      before: { status: before.status },
      after: { status },
    });
  });
  if (status === "active") await setAsideForFriends(ctx, referrerId);
}

async function store(ctx: Context, referrerId: string, values: Partial<Referrer>): Promise<void> {
  await ctx.db.orm
    .update(referrers)
    .set(values)
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
}
