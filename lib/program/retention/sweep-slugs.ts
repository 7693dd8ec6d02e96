import { and, eq, inArray, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { CHUNK } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { singleton } from "@/lib/platform/singleton";

/** A new process starts this far back; after that it reads each reservation once. */
const REACH = 8 * DAY_MS;

/**
 * Position in the directory. The time is text, because a `Date` drops the microseconds and would find a row again.
 */
interface Position {
  at: string;
  slug: string;
}

interface Reservation extends Position {
  app_id: string;
  referrer_id: string;
}

/** Reservations older than a day, the oldest first, after a position. */
async function readPage(db: Db, from: Position, until: Date): Promise<Reservation[]> {
  const { rows } = await db.orm.execute<Reservation & Record<string, unknown>>(
    sql`select slug, app_id, referrer_id, created_at::text as at from slug_directory
         where (created_at, slug) > (${from.at}::timestamptz, ${from.slug}) and created_at < ${until}
         order by created_at, slug limit ${CHUNK}`,
  );
  return rows;
}

/** Metacodes of one app whose referrer was never created. */
async function orphansOf(db: Db, appId: string, reservations: Reservation[]): Promise<string[]> {
  const ids = reservations.map((reservation) => reservation.referrer_id);
  const rows = await db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(and(eq(referrers.appId, appId), inArray(referrers.id, ids)));
  const created = new Set(rows.map((row) => row.id));
  return reservations.filter(({ referrer_id }) => !created.has(referrer_id)).map(({ slug }) => slug);
}

async function sweepPage(db: Db, page: Reservation[]): Promise<number> {
  let swept = 0;
  for (const appId of new Set(page.map(({ app_id }) => app_id))) {
    const own = page.filter(({ app_id }) => app_id === appId);
    const slugs = await orphansOf(db, appId, own);
    if (slugs.length === 0) continue;
    const { rowCount } = await db.orm.delete(slugDirectory).where(inArray(slugDirectory.slug, slugs));
    swept += rowCount ?? 0;
  }
  return swept;
}

/**
 * Frees metacodes that were reserved more than a day ago for a referrer that lost a race of two first calls.
 * Returns how many.
 */
export async function sweepSlugs(db: Db, now: Date): Promise<number> {
  const until = new Date(now.getTime() - DAY_MS);
  const start: Position = { at: new Date(now.getTime() - REACH).toISOString(), slug: "" };
  const position = singleton("retention.slugs", () => ({ ...start }));
  let swept = 0;
  for (;;) {
    const page = await readPage(db, position, until);
    swept += await sweepPage(db, page);
    const last = page.at(-1);
    if (last) Object.assign(position, { at: last.at, slug: last.slug });
    if (page.length < CHUNK) return swept;
  }
}
