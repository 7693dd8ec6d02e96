import { and, eq, inArray, sum } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { ReferrerLabel } from "@/lib/contract/referral-list";
import { referrerProgress, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";
import { displayName } from "./display-name";

/** A referrer as it is stored. */
export type Referrer = typeof referrers.$inferSelect;

type Metadata = Record<string, unknown>;

/** A referrer of the app, locked until the transaction ends. Throws NOT_FOUND. */
export async function lockReferrer(ctx: Context, referrerId: string): Promise<Referrer> {
  const sameReferrer = and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId));
  const [row] = isUuid(referrerId)
    ? await ctx.db.orm.select().from(referrers).where(sameReferrer).for("update")
    : [];
  return row ?? fail("NOT_FOUND", "There is no such referrer");
}

/** A referrer as the subject of an audit entry. */
export function referrerSubject({ id, slug, metadata }: Referrer) {
  return { subject: "referrer", subjectId: id, subjectName: displayName(metadata ?? {}) ?? slug };
}

/** A referrer as a label in other lists: name and metacode. */
export function referrerLabel({ id, slug, metadata }: Referrer): ReferrerLabel {
  return { id, name: displayName(metadata ?? {}) ?? null, metacode: slug };
}

/** Labels of these referrers of the app, by id. */
export async function referrerLabels(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, ReferrerLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.id, [...new Set(ids)])));
  return new Map(rows.map((row) => [row.id, referrerLabel(row)]));
}

/** An influencer's name and handle as they are stored; null for values that are not text. */
export function profileOf(metadata: Metadata | null): { name: string | null; handle: string | null } {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { name: text(metadata?.name), handle: text(metadata?.handle) };
}

interface ProfileValues {
  name?: string | null | undefined;
  handle?: string | null | undefined;
}

/** The metadata with this name and handle in it; null removes a value, undefined leaves it. */
export function withProfile(metadata: Metadata, profile: ProfileValues): Metadata {
  const next = { ...metadata };
  for (const key of ["name", "handle"] as const) {
    const value = profile[key];
    if (value === null) delete next[key];
    else if (value !== undefined) next[key] = value;
  }
  return next;
}

/** The confirmed referrals of referrers, and those on hold, over all campaigns and platforms. */
export async function confirmedCounts(ctx: Context, referrerIds: string[]) {
  const { appId, referrerId, confirmed, held } = referrerProgress;
  const rows = await ctx.db.orm
    .select({ referrerId, confirmed: sum(confirmed).mapWith(Number), held: sum(held).mapWith(Number) })
    .from(referrerProgress)
    .where(and(eq(appId, ctx.app.id), inArray(referrerId, referrerIds)))
    .groupBy(referrerId);
  return new Map(rows.map((row) => [row.referrerId, row]));
}
