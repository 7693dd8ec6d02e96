import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { AuditLine } from "@/lib/contract/timeline";
import { auditLog } from "@/lib/db/schema";
import { newestFirst, walkPage } from "@/lib/db/walk";

const SHOWN = 20;

/** What people lately did to one thing, by its id: the newest lines among the newest 10,000 of the workspace. */
export async function auditOfSubject(ctx: Context, subjectId: string): Promise<AuditLine[]> {
  const { data } = await walkPage(ctx.db, auditLog, {
    ...newestFirst(auditLog.id),
    within: eq(auditLog.workspaceId, ctx.workspace.id),
    filter: and(eq(auditLog.appId, ctx.app.id), eq(auditLog.subjectId, subjectId)),
    size: SHOWN,
  });
  return data.map(({ action, actorName, before, after, createdAt }) => ({
    ...{ kind: "audit", at: createdAt, action, who: actorName, before, after },
  }));
}
