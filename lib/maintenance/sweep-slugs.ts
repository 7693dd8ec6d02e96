import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { referrers, slugDirectory } from "@/lib/db/schema";
import { CHUNK } from "@/lib/maintenance/chunks";
import { shared } from "@/lib/shared";

const DAY = 24 * 3_600_000;

/** How far a process that has just started looks back; after that each reservation is looked at once. */
const REACH = 8 * DAY;

/** Where a process has got to; the moment as text, since a `Date` drops the microseconds and would meet a row again. */
interface Place {
  at: string;
  slug: string;
}

interface Reservation extends Place {
  app_id: string;
  referrer_id: string;
}

/** Reservations older than a day, in the order of their making, from a place on. */
async function readPage(db: Db, from: Place, until: Date): Promise<Reservation[]> {
  const { rows } = await db.orm.execute<Reservation & Record<string, unknown>>(
    sql`select slug, app_id, referrer_id, created_at::text as at from slug_directory
         where (created_at, slug) > (${from.at}::timestamptz, ${from.slug}) and created_at < ${until}
         order by created_at, slug limit ${CHUNK}`,
  );
  return rows;
}

/** Those of one app whose referrer was never made. */
async function orphansOf(db: Db, appId: string, reservations: Reservation[]): Promise<string[]> {
  const ids = reservations.map((reservation) => reservation.referrer_id);
  const rows = await db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(and(eq(referrers.appId, appId), inArray(referrers.id, ids)));
  const made = new Set(rows.map((row) => row.id));
  return reservations.filter((one) => !made.has(one.referrer_id)).map((one) => one.slug);
}

async function sweepPage(db: Db, page: Reservation[]): Promise<number> {
  let swept = 0;
  for (const appId of new Set(page.map((one) => one.app_id))) {
    const own = page.filter((one) => one.app_id === appId);
    const slugs = await orphansOf(db, appId, own);
    if (slugs.length === 0) continue;
    const gone = await db.orm.delete(slugDirectory).where(inArray(slugDirectory.slug, slugs));
    swept += gone.rowCount ?? 0;
  }
  return swept;
}

/**
 * Frees metacodes that were reserved more than a day ago for a referrer that lost the race of two first calls.
 * Returns how many.
 */
export async function sweepSlugs(db: Db, now: Date): Promise<number> {
  const until = new Date(now.getTime() - DAY);
  const start: Place = { at: new Date(now.getTime() - REACH).toISOString(), slug: "" };
  const place = shared("maintenance.slugs", () => ({ ...start }));
  let swept = 0;
  for (;;) {
    const page = await readPage(db, place, until);
    swept += await sweepPage(db, page);
    const last = page.at(-1);
    if (last) Object.assign(place, { at: last.at, slug: last.slug });
    if (page.length < CHUNK) return swept;
  }
}
