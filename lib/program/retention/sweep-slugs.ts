import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { CHUNK } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { windowsOf } from "@/lib/platform/db/walk";
import { singleton } from "@/lib/platform/singleton";
import type { Context } from "@/lib/tenants/context";

/** A new process starts this far back; after that it reads each reservation once. */
const REACH = 8 * DAY_MS;

/**
 * Position in the directory. The time is text, because a `Date` drops the microseconds and would find a row again.
 */
interface Position {
  at: string;
  slug: string;
}

/** A metacode and the referrer that it is reserved for. */
interface Named {
  slug: string;
  referrer_id: string;
}

interface Reservation extends Named, Position {
  app_id: string;
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

/** Deletes the reservations of one app for referrers that do not exist; returns how many. */
async function deleteOrphans(db: Db, appId: string, reservations: Named[]): Promise<number> {
  const ids = [...new Set(reservations.map((reservation) => reservation.referrer_id))];
  const rows = await db.orm
    .select({ id: referrers.id })
    .from(referrers)
    .where(and(eq(referrers.appId, appId), inArray(referrers.id, ids)));
  const created = new Set(rows.map((row) => row.id));
  const missing = ids.filter((id) => !created.has(id));
  if (missing.length === 0) return 0;
  const slugs = reservations.map((reservation) => reservation.slug);
  // By the referrer too: a metacode that was freed meanwhile may have a new owner.
  const orphans = and(inArray(slugDirectory.slug, slugs), inArray(slugDirectory.referrerId, missing));
  const { rowCount } = await db.orm.delete(slugDirectory).where(and(eq(slugDirectory.appId, appId), orphans));
  return rowCount ?? 0;
}

async function sweepPage(db: Db, page: Reservation[]): Promise<number> {
  let swept = 0;
  for (const appId of new Set(page.map(({ app_id }) => app_id))) {
    swept += await deleteOrphans(
      db,
      appId,
      page.filter(({ app_id }) => app_id === appId),
    );
  }
  return swept;
}

/** The reservations of former metacodes that the audit log names in a window of its ids. */
async function formerSlugs(db: Db, appId: string, within: SQL): Promise<Named[]> {
  const { rows } = await db.orm.execute<Named & Record<string, unknown>>(
    sql`select subject_id as referrer_id, before ->> 'metacode' as slug from audit_log
         where ${within} and app_id = ${appId} and action = 'referrer.metacode_changed'`,
  );
  if (rows.length === 0) return [];
  const { slug, referrerId } = slugDirectory;
  const slugs = [...new Set(rows.map((row) => row.slug))];
  const reserved = await db.orm
    .select({ slug, referrer_id: referrerId })
    .from(slugDirectory)
    .where(and(eq(slugDirectory.appId, appId), inArray(slug, slugs)));
  const named = new Set(rows.map((row) => `${row.slug} ${row.referrer_id}`));
  return reserved.filter((row) => named.has(`${row.slug} ${row.referrer_id}`));
}

/**
 * Frees the former metacodes of an app's deleted referrers; returns how many. No index leads to them from the app, so the audit
 * log names them. An entry shows that its referrer existed, so a reservation for one that is being created stays.
 */
export async function freeFormerSlugs({ db, app, workspace }: Context): Promise<number> {
  const tenant = sql`workspace_id = ${workspace.id}`;
  const since = new Date(timeOfId(app.id));
  let freed = 0;
  for await (const within of windowsOf(db, { table: "audit_log", tenant, since })) {
    const former = await formerSlugs(db, app.id, within);
    for (let start = 0; start < former.length; start += CHUNK) {
      freed += await deleteOrphans(db, app.id, former.slice(start, start + CHUNK));
    }
  }
  return freed;
}

/**
 * Frees metacodes that were reserved more than a day ago for a referrer that was never created, because a parallel first
 * call won. Returns how many.
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
