import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { normalizeMetacode } from "@/lib/contract/fields";
import { beginsWith } from "@/lib/platform/db/index-ranges";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { type Walk, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";
import type { Referrer } from "./record";

/** A referrer, with the former metacode by which a search found it. */
export type FoundReferrer = Referrer & { former?: string };
type ReferrerWalk = Pick<Walk, "within" | "keys" | "order"> & { filter?: SQL };

const { appId, id, uid, slug, metadata } = referrers;

/** The expression of the index `referrers_name`, and the condition under which a row is in it. */
const NAME = sql`left(lower(coalesce(${metadata} ->> 'name', ${metadata} ->> 'display_name')), 80) collate "C"`;
const NAMED = sql`${metadata} ?| '{name,display_name}'::text[]`;

export interface Search {
  text: string;
  /** The metacode in the text, where that may be a link. */
  metacode?: string;
  filter?: SQL | undefined;
  cursor?: string | undefined;
  size: number;
}

/**
 * Referrers that a text finds: by current or former metacode, then by the beginning of the uid, then by the beginning of
 * the name. Each is a walk along an index, so a search among a million costs the same as among a thousand.
 */
export async function searchReferrers(ctx: Context, search: Search): Promise<Paged<FoundReferrer>> {
  const { text, metacode = normalizeMetacode(text), filter, cursor, size } = search;
  const found = await byMetacode(ctx, metacode, filter);
  const data: FoundReferrer[] = cursor ? [] : [...found];
  const walks = [byUid(ctx, text), byName(ctx, text)];
  const [, first = "0", rest = ""] = /^([01])\.(.*)$/.exec(cursor ?? "") ?? [];
  for (let n = Number(first); n < walks.length; n++) {
    if (data.length >= size) return { data, nextCursor: `${n}.` };
    const page = await walkPage(ctx.db, referrers, {
      ...(walks[n] as ReferrerWalk),
      filter: and(walks[n]?.filter, filter),
      cursor: n === Number(first) ? rest : undefined,
      size: size - data.length,
    });
    data.push(...page.data.filter((row) => row.id !== found[0]?.id));
    if (page.nextCursor) return { data, nextCursor: `${n}.${page.nextCursor}` };
  }
  return { data, nextCursor: null };
}

/** The directory also has former metacodes, which friends may still hold. */
async function byMetacode(ctx: Context, metacode: string, filter: SQL | undefined): Promise<FoundReferrer[]> {
  const { orm } = ctx.db;
  const owned = and(eq(slugDirectory.appId, ctx.app.id), eq(slugDirectory.slug, metacode));
  const [owner] = await orm.select().from(slugDirectory).where(owned);
  const named = owner ? eq(id, owner.referrerId) : eq(slug, metacode);
  const rows = await orm
    .select()
    .from(referrers)
    .where(and(eq(appId, ctx.app.id), named, filter));
  return rows.map((row) => (row.slug === metacode ? row : { ...row, former: metacode }));
}

function byUid(ctx: Context, text: string): ReferrerWalk {
  return {
    within: and(eq(appId, ctx.app.id), beginsWith(uid, text)),
    keys: [{ by: uid, type: "text" }],
    order: "asc",
  };
}

/** Without the referrers already found by uid. */
function byName(ctx: Context, text: string): ReferrerWalk {
  return {
    within: and(eq(appId, ctx.app.id), NAMED, beginsWith(NAME, sql`left(lower(${text}), 80)`)),
    keys: [
      { by: NAME, type: "text" },
      { by: id, type: "uuid" },
    ],
    order: "asc",
    filter: not(beginsWith(uid, text)),
  };
}
