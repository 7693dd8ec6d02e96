import { and, asc, eq } from "drizzle-orm";
import { isUuid, uuidIn } from "@/lib/contract/fields";
import { ERASED_UID, shownUid } from "@/lib/contract/influencer";
import {
  type NearestMetacode,
  type Referral,
  referralStatusOf,
  searchText,
} from "@/lib/contract/referral-list";
import type { EndUserMatch } from "@/lib/contract/referrer-list";
import { beginsWith } from "@/lib/platform/db/index-ranges";
import { referrals, referrers, undoneSteps } from "@/lib/platform/db/schema";
import {
  findByCode,
  findByProviderId,
  findByRequest,
  findByUid,
  personMatch,
} from "@/lib/program/end-users/find-by-trace";
import type { Context } from "@/lib/tenants/context";
import { respelled } from "./mistyped";
import { nearestMetacodes } from "./nearest";
import { referrerLabel } from "./record";
import { type FoundReferrer, searchReferrers } from "./search";

/** Matches of each kind, so that no kind crowds out the others. */
const EACH = 5;

const STATUS_NOTES = {
  clicked: "clicked",
  code_assigned: "has a code",
  redeemed: "confirmed",
  reversed: "reversed",
};

/**
 * End users that match a text: referrers by metacode, uid or name, referees by uid, holders of a code by its whole text,
 * both by id, anyone by the exact uid or the id of a request, a purchase or its event, also in a pasted link or response.
 * If nothing matches, other spellings, then similar metacodes. A few of each, along indexes, for a search while typing.
 */
export async function findEndUsers(ctx: Context, text: string): Promise<EndUserMatch[]> {
  const search = searchText.parse(text);
  if (!search) return [];
  const linked = LINKED.exec(search)?.slice(1).find(Boolean);
  const [spaced, found, inLink] = await Promise.all([
    text === search ? [] : findByUid(ctx, text),
    exactly(ctx, search),
    linked ? exactly(ctx, linked) : [],
  ]);
  // Outer spaces count only for a uid that has them.
  const spacedNote = { note: "with the spaces as typed" };
  const all = [...spaced.map((match) => ({ ...match, ...spacedNote })), ...found, ...inLink];
  const id = uuidIn(search);
  for (const other of [...respelled(search), id].filter((spelling) => spelling !== undefined))
    if (all.length === 0) all.push(...(await exactly(ctx, other)));
  if (all.length > 0) return all;
  // Version 7, as our request ids are. The page of requests says why it may be missing.
  if (id?.[14] === "7") return [{ kind: "request", section: "requests", id, title: id, note: "not found" }];
  return [...(await nearestMetacodes(ctx, [linked ?? search])).values()].map(mistypedMatch);
}

/** The metacode of a referral link, or the code of a store's redemption page, as users forward them. */
const LINKED = /\/r\/([a-z\d]{4,32})(?![a-z\d])|[?&]code=([^&#\s"\\]+)/i;

const exactly = (ctx: Context, search: string) => (isUuid(search) ? byId(ctx, search) : byText(ctx, search));

async function byText(ctx: Context, search: string): Promise<EndUserMatch[]> {
  const [person, buyers, found, referees, holders] = await Promise.all([
    findByUid(ctx, search),
    findByProviderId(ctx, search),
    searchReferrers(ctx, { text: search, size: EACH }),
    ctx.db.orm
      .select()
      .from(referrals)
      .where(and(eq(referrals.appId, ctx.app.id), beginsWith(referrals.refereeUid, search)))
      .orderBy(asc(referrals.refereeUid), asc(referrals.createdAt))
      .limit(EACH),
    findByCode(ctx, search),
  ]);
  return [...holders, ...found.data.map(referrerMatch), ...referees.map(refereeMatch), ...person, ...buyers];
}

function referrerMatch(row: FoundReferrer): EndUserMatch {
  const { id, name, metacode } = referrerLabel(row);
  const note = row.former ? `${metacode}, formerly ${row.former}` : metacode;
  return { kind: "referrer", section: "referrers", id, title: name ?? shownUid(row.uid) ?? metacode, note };
}

function mistypedMatch({ id, name, metacode, by, closed }: NearestMetacode): EndUserMatch {
  const look = by === "edit" ? "one character away" : "which looks alike";
  const note = `${metacode}, ${look}${closed ? `, ${closed}` : ""}`;
  return { kind: "referrer", section: "referrers", id, title: name ?? metacode, note };
}

function refereeMatch(row: Referral): EndUserMatch {
  return {
    kind: "referee",
    section: "referrals",
    id: row.id,
    title: shownUid(row.refereeUid) ?? ERASED_UID,
    note: STATUS_NOTES[referralStatusOf(row)],
  };
}

async function byId(ctx: Context, id: string): Promise<EndUserMatch[]> {
  const { orm } = ctx.db;
  const asReferrer = and(eq(referrers.appId, ctx.app.id), eq(referrers.id, id));
  const asReferral = and(eq(referrals.appId, ctx.app.id), eq(referrals.id, id));
  const asUndone = and(eq(undoneSteps.appId, ctx.app.id), eq(undoneSteps.referralId, id));
  const [byRequest, byEvent, byUid, foundReferrers, foundReferrals, undone] = await Promise.all([
    findByRequest(ctx, id),
    findByProviderId(ctx, id),
    findByUid(ctx, id),
    orm.select().from(referrers).where(asReferrer),
    orm.select().from(referrals).where(asReferral),
    orm.select().from(undoneSteps).where(asUndone).limit(1),
  ]);
  return [
    ...byRequest,
    ...byEvent,
    ...foundReferrers.map(referrerMatch),
    ...(foundReferrals.length > 0
      ? foundReferrals.map(refereeMatch)
      : undone.map(({ refereeUid }) => personMatch(refereeUid, "had this referral, which was released"))),
    ...byUid,
  ];
}
