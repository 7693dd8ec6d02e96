import { and, eq, inArray } from "drizzle-orm";
import { normalizeMetacode } from "@/lib/contract/fields";
import type { ReferrerLabel } from "@/lib/contract/referral-list";
import { referrers } from "@/lib/platform/db/schema";
import { referrerLabel } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** Longer texts are no mistyped metacodes. */
const LENGTHS = { min: 4, max: 32 };

/** Every text that differs by one wrong, missing, additional or exchanged character: some 600 for eight characters. */
export function oneEditAway(text: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const character of ALPHABET) {
      found.add(before + character + after);
      if (after !== "") found.add(before + character + after.slice(1));
    }
    if (after !== "") found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  found.delete(text);
  return [...found];
}

/**
 * For each mistyped metacode, an active referrer whose metacode is one edit away. The candidates are looked up by the index
 * over metacodes, so the number of referrers does not matter.
 */
export async function nearestMetacodes(
  ctx: Context,
  typed: readonly string[],
): Promise<Map<string, ReferrerLabel>> {
  const candidates = new Map<string, string[]>();
  for (const text of new Set(typed)) {
    const metacode = normalizeMetacode(text);
    if (metacode.length < LENGTHS.min || metacode.length > LENGTHS.max) continue;
    candidates.set(text, oneEditAway(metacode));
  }
  const slugs = [...new Set([...candidates.values()].flat())];
  if (slugs.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(
      and(eq(referrers.appId, ctx.app.id), inArray(referrers.slug, slugs), eq(referrers.status, "active")),
    );
  const bySlug = new Map(rows.map((row) => [row.slug, referrerLabel(row)]));
  return new Map(
    [...candidates].flatMap(([text, near]) => {
      const label = near.map((slug) => bySlug.get(slug)).find((found) => found !== undefined);
      return label ? [[text, label] as const] : [];
    }),
  );
}
