import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import type { Found } from "@/lib/contract/found";
import { searchText } from "@/lib/contract/referral-list";
import { isUuid } from "@/lib/contract/uuid";
import { beginsWith } from "@/lib/db/prefix";
import { codes, referrals, referrers } from "@/lib/db/schema";
import { type Referral, statusOf } from "@/lib/referrals/status";
import { labelOf } from "./label";
import { searchReferrers } from "./search";

/** Of each kind, so that one does not crowd out the others. */
const EACH = 5;

const STATES = {
  clicked: "clicked",
  code_assigned: "has a code",
  redeemed: "confirmed",
  reversed: "reversed",
};

/**
 * Whom a text stands for: referrers by metacode, uid or name, referees by uid, whoever holds a code by its whole text,
 * and either by id. A handful of each, along indexes, for a field that asks while somebody types.
 */
export async function findPeople(ctx: Context, text: string): Promise<Found[]> {
  const wanted = searchText.parse(text);
  if (!wanted) return [];
  if (isUuid(wanted)) return byId(ctx, wanted);
  const [people, referees, holders] = await Promise.all([
    searchReferrers(ctx, { text: wanted, size: EACH }),
    ctx.db.orm
      .select()
      .from(referrals)
      .where(and(eq(referrals.appId, ctx.app.id), beginsWith(referrals.refereeUid, wanted)))
      .orderBy(asc(referrals.refereeUid), asc(referrals.createdAt))
      .limit(EACH),
    byCode(ctx, wanted),
  ]);
  return [...holders, ...people.data.map(referrerFound), ...referees.map(refereeFound)];
}

function referrerFound(row: typeof referrers.$inferSelect): Found {
  const { id, name, metacode } = labelOf(row);
  return { kind: "referrer", room: "referrers", id, title: name ?? row.uid, note: metacode };
}

function refereeFound(row: Referral): Found {
  return {
    ...{ kind: "referee", room: "referrals", id: row.id, title: row.refereeUid },
    note: STATES[statusOf(row)],
  };
}

async function byId(ctx: Context, id: string): Promise<Found[]> {
  const { orm } = ctx.db;
  const [people, given] = await Promise.all([
    orm
      .select()
      .from(referrers)
      .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, id))),
    orm
      .select()
      .from(referrals)
      .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.id, id))),
  ]);
  return [...people.map(referrerFound), ...given.map(refereeFound)];
}

/** Who reads a code out has it already, so that finding its holder gives nothing away. */
async function byCode(ctx: Context, text: string): Promise<Found[]> {
  const held = await ctx.db.orm
    .select({ code: codes, referral: referrals.id })
    .from(codes)
    .leftJoin(referrals, and(eq(referrals.appId, codes.appId), eq(referrals.id, codes.assignmentId)))
    .where(
      and(
        eq(codes.appId, ctx.app.id),
        inArray(codes.platform, ["ios", "android"]),
        inArray(codes.code, [text, text.toUpperCase()]),
        isNotNull(codes.assignmentId),
      ),
    )
    .limit(EACH);
  return held.flatMap(({ code, referral }): Found[] => {
    const id = referral ?? code.referrerId;
    const found = { kind: "code", title: maskCode(code.code), note: code.redeemedByUid ?? "" } as const;
    return id ? [{ ...found, room: referral ? "referrals" : "referrers", id }] : [];
  });
}
