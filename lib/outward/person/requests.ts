import { and, desc, eq, inArray } from "drizzle-orm";
import type { PersonRequest } from "@/lib/contract/person";
import { requestLog, requestSubjects } from "@/lib/platform/db/schema";
import { nearestMetacodes } from "@/lib/program/referrers/nearest";
import type { Context } from "@/lib/tenants/context";

const SHOWN = 50;

/** The newest requests of seven days that named one of these ids, with what was typed and how each was answered. */
export async function listRequestsOf(ctx: Context, uids: readonly string[]): Promise<PersonRequest[]> {
  const rows = await ctx.db.orm
    .select({ subject: requestSubjects, request: requestLog })
    .from(requestSubjects)
    .innerJoin(
      requestLog,
      and(eq(requestLog.appId, requestSubjects.appId), eq(requestLog.id, requestSubjects.id)),
    )
    .where(and(eq(requestSubjects.appId, ctx.app.id), inArray(requestSubjects.uid, [...uids])))
    .orderBy(desc(requestSubjects.id))
    .limit(SHOWN);
  const mistyped = rows.flatMap(({ subject: { metacode }, request: { errorCode } }) =>
    metacode && errorCode === "METACODE_NOT_FOUND" ? [metacode] : [],
  );
  const nearest = await nearestMetacodes(ctx, mistyped);
  return rows.map(({ subject, request }) => {
    const { id, path, status, errorCode, message, createdAt: at } = request;
    const { uid, metacode, platform } = subject;
    const meant = errorCode === "METACODE_NOT_FOUND" && metacode ? nearest.get(metacode) : undefined;
    return { id, path, status, errorCode, message, at, uid, metacode, platform, nearest: meant ?? null };
  });
}
