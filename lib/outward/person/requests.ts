import { and, desc, eq, gte, inArray, type SQL } from "drizzle-orm";
import type { MeantMetacode, PersonRequest } from "@/lib/contract/person";
import { referrers, requestLog, requestSubjects, slugDirectory } from "@/lib/platform/db/schema";
import { metacodeIn } from "@/lib/program/referrers/mistyped";
import { nearestMetacodes } from "@/lib/program/referrers/nearest";
import { referrerLabel } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

const SHOWN = 50;

/** The newest requests of seven days, and the newest refused ones, that named one of these ids, with their answers. */
export async function listRequestsOf(ctx: Context, uids: readonly string[]): Promise<PersonRequest[]> {
  const { appId, id, uid } = requestSubjects;
  const newest = (filter?: SQL) =>
    ctx.db.orm
      .select({ subject: requestSubjects, request: requestLog })
      .from(requestSubjects)
      .innerJoin(requestLog, and(eq(requestLog.appId, appId), eq(requestLog.id, id)))
      .where(and(eq(appId, ctx.app.id), inArray(uid, [...uids]), filter))
      .orderBy(desc(id))
      .limit(SHOWN);
  const lists = await Promise.all([newest(), newest(gte(requestLog.status, 400))]);
  const rows = [...new Map(lists.flat().map((row) => [row.subject.id, row])).values()];
  rows.sort((a, b) => (a.subject.id < b.subject.id ? 1 : -1));
  const mistyped = rows.flatMap(({ subject: { metacode }, request: { errorCode } }) =>
    metacode && errorCode === "METACODE_NOT_FOUND" ? [metacode] : [],
  );
  const typed = rows.flatMap(({ subject: { metacode } }) => metacode ?? []);
  const [owners, nearest] = await Promise.all([ownersOf(ctx, typed), nearestMetacodes(ctx, mistyped)]);
  return rows.map(({ subject: { uid, metacode, platform }, request }) => {
    const { id, path, status, errorCode, message, createdAt: at } = request;
    const owner = owners.get(metacodeIn(metacode ?? ""));
    const meant = owner ?? nearest.get(metacode ?? "");
    const as = owner && errorCode !== "METACODE_NOT_FOUND" && { by: "accepted" as const };
    const shown = { id, path, status, errorCode, message, at, uid, metacode, platform };
    return { ...shown, nearest: meant ? { ...meant, ...as } : null };
  });
}

/** The referrers of metacodes that were typed right; some were refused, because the referrer was paused or had ended. */
async function ownersOf({ app, db }: Context, typed: string[]): Promise<Map<string, MeantMetacode>> {
  if (typed.length === 0) return new Map();
  const { appId, slug, referrerId } = slugDirectory;
  const owned = await db.orm
    .select({ slug, id: referrerId })
    .from(slugDirectory)
    .where(and(eq(appId, app.id), inArray(slug, typed.map(metacodeIn))));
  const ids = owned.map(({ id }) => id);
  const rows = await db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, app.id), inArray(referrers.id, ids)));
  const labels = new Map(rows.map((row) => [row.id, { ...referrerLabel(row), by: row.status }]));
  return new Map(
    owned.flatMap(({ slug: text, id }) => {
      const label = labels.get(id);
      return label ? [[text, label] as const] : [];
    }),
  );
}
