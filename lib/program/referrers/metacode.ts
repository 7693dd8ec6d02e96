import { randomInt } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { vanityField } from "@/lib/contract/fields";
import type { MetacodeState } from "@/lib/contract/influencer-view";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { addressBucket } from "@/lib/platform/limits/address";
import { refuse } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { parseInput } from "@/lib/platform/parse-input";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { lockReferrer, referrerSubject } from "./record";

/** No vowels, so no words; no characters that look alike. */
const ALPHABET = "23456789bcdfghjkmnpqrstvwxz";
const LENGTH = 8;

/** Metacodes with a special meaning (contract, redeem 1), or that look like one of our pages or staff. */
const RESERVED = new Set(
  `test123 test404 test409 test503 testended test tests example sample demo
   api admin administrator root system support help info security abuse legal privacy terms
   dashboard account accounts login logout signin signout signup register settings billing
   metacode referral referrer referee redeem reward rewards invite promo code codes campaign
   www static assets public images landing share wellknown robots sitemap favicon
   null undefined true false none apple google appstore playstore`.split(/\s+/),
);

/**
 * A random metacode: one of 2.8e11. It cannot be a reserved word, because all of those contain vowels or other
 * excluded characters.
 */
export function randomMetacode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/** Metacodes that a user, or all users at an address, may look up in 24 hours. */
export const CHECKS_PER_DAY = 1_000;

/**
 * Counts a look-up, because it reveals which metacodes other apps have. Runs before responses differ, so that over the
 * limit a taken metacode looks like a free one. Throws RATE_LIMITED.
 */
async function countCheck({ actor }: Context): Promise<void> {
  if (actor.kind !== "user") return;
  for (const place of [actor.id, addressBucket(actor.address)]) {
    const decision = await limits().perAddress("check", CHECKS_PER_DAY, place);
    if (!decision.allowed) refuse(decision, "Too many metacodes were tried today, try again tomorrow");
  }
}

/** Metacodes that may be reserved for one referrer in 24 hours: each stays reserved, and another app's owner may want it. */
export const CHOSEN_PER_DAY = 10;

/** The state of a metacode that a form proposes; the reservation decides. Throws RATE_LIMITED. */
export async function metacodeState(ctx: Context, text: string, referrerId?: string): Promise<MetacodeState> {
  const parsed = vanityField.safeParse(text);
  if (!parsed.success) return { metacode: text, state: "malformed" };
  const metacode = parsed.data;
  if (RESERVED.has(metacode)) return { metacode, state: "reserved" };
  await countCheck(ctx);
  const [owner] = await ctx.db.orm.select().from(slugDirectory).where(eq(slugDirectory.slug, metacode));
  if (!owner) return { metacode, state: "free" };
  const own = owner.appId === ctx.app.id && owner.referrerId === referrerId;
  return { metacode, state: own ? "yours" : "taken" };
}

/**
 * Reserves a chosen metacode for a referrer, over all apps; a former metacode of the referrer counts as free. Must
 * come first in the transaction, because the directory decides races. Throws VALIDATION_ERROR, CONFLICT, RATE_LIMITED.
 */
export async function reserveMetacode(ctx: Context, referrerId: string, slug: string): Promise<void> {
  const { db } = ctx;
  const appId = ctx.app.id;
  const field = "metacode";
  if (RESERVED.has(slug)) fail("VALIDATION_ERROR", `${slug} is a reserved word`, { field });
  const added = await db.orm
    .insert(slugDirectory)
    .values({ slug, appId, referrerId })
    .onConflictDoNothing()
    .returning({ slug: slugDirectory.slug });
  if (added.length > 0) {
    await countCheck(ctx);
    const decision = await limits().perAddress("metacode", CHOSEN_PER_DAY, `${appId} ${referrerId}`);
    return decision.allowed
      ? undefined
      : refuse(decision, "This referrer has had too many new metacodes today, try again tomorrow");
  }
  const [owner] = await db.orm.select().from(slugDirectory).where(eq(slugDirectory.slug, slug));
  if (owner?.appId === appId && owner.referrerId === referrerId) return;
  await countCheck(ctx);
  fail("CONFLICT", `The metacode ${slug} is taken`, { field });
}

/**
 * Replaces a referrer's metacode. The old one stays reserved for this referrer and keeps working, for the links already
 * shared. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT for a taken one, RATE_LIMITED.
 */
export async function updateMetacode(
  ctx: Context,
  referrerId: string,
  metacode: string,
): Promise<{ metacode: string }> {
  const slug = parseInput(vanityField, metacode, "metacode");
  await ctx.db.transaction(async (db) => {
    // Comes first, because the directory decides races over all apps.
    await reserveMetacode({ ...ctx, db }, referrerId, slug);
    const before = await lockReferrer({ ...ctx, db }, referrerId);
    if (before.status === "ended") fail("NOT_FOUND", "There is no such referrer, or it has ended");
    if (before.slug === slug) return;
    await refuseUndoing({ ...ctx, db }, referrerId, { metacode: before.slug }, { metacode: slug });
    await db.orm
      .update(referrers)
      .set({ slug })
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
    await recordAudit(db, ctx, {
      action: "referrer.metacode_changed",
      ...referrerSubject(before),
      before: { metacode: before.slug },
      after: { metacode: slug },
    });
  });
  return { metacode: slug };
}
