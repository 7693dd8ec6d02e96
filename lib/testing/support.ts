import { and, asc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { auditLog, codes, referrals } from "@/lib/platform/db/schema";
import { replaceCode } from "@/lib/program/codes/replace";
import type { Context } from "@/lib/tenants/context";

/** The app's context with a member of the team as the actor. */
export function asTeamMember(ctx: Context): Context {
  return { ...ctx, actor: { kind: "user", id: uuidv7(), name: "Sam Support", address: "192.0.2.7" } };
}

/** The audit log of the workspace, oldest first. */
export async function auditOf({ db, workspace }: Context) {
  return db.orm
    .select()
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspace.id))
    .orderBy(asc(auditLog.id));
}

/** The id of a referee's only referral. */
export async function referralIdOf({ db, app }: Context, refereeUid: string): Promise<string> {
  const [row] = await db.orm
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.appId, app.id), eq(referrals.refereeUid, refereeUid)));
  if (!row) throw new Error(`no referral of ${refereeUid}`);
  return row.id;
}

/** The id of the code that a referral or a reward has now. */
export async function codeIdOf({ db, app }: Context, assignmentId: string): Promise<string> {
  const [row] = await db.orm
    .select({ id: codes.id })
    .from(codes)
    .where(and(eq(codes.appId, app.id), eq(codes.assignmentId, assignmentId)));
  if (!row) throw new Error(`no code of ${assignmentId}`);
  return row.id;
}

/** Replaces the current code of a referral or a reward, as a member does who has just opened the page. */
export async function replaceCodeOf(ctx: Context, assignmentId: string, reason: string): Promise<string> {
  const codeId = await codeIdOf(ctx, assignmentId);
  return (await replaceCode(ctx, { assignmentId, codeId, reason })).code;
}
