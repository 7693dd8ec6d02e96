import { and, asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { auditLog, referrals } from "@/lib/db/schema";
import { rowsOfApp } from "@/lib/testing/rows";

/** The same app as somebody of the team sees it. */
export function asPerson(ctx: Context): Context {
  return { ...ctx, actor: { kind: "user", id: uuidv7(), name: "Sam Support", address: "192.0.2.7" } };
}

/** What the audit log says of the workspace, oldest first. */
export async function auditOf({ db, workspace }: Context) {
  return db.orm
    .select()
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspace.id))
    .orderBy(asc(auditLog.id));
}

/** Id of the one referral of this referee. */
export async function referralIdOf({ db, app }: Context, refereeUid: string): Promise<string> {
  const [row] = await db.orm
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.appId, app.id), eq(referrals.refereeUid, refereeUid)));
  if (!row) throw new Error(`no referral of ${refereeUid}`);
  return row.id;
}

/** Every row of an app but the notes about requests, which are written a moment after the answer. */
export async function stateOf(appId: string): Promise<Record<string, string[]>> {
  const rows = await rowsOfApp(appId);
  const late = ["request_log", "key_usage_days", "api_key_uses"];
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !late.includes(table)));
}
