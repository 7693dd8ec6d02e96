import { and, eq, isNull } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { Plan, Role } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { apps, memberships, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { App } from "@/lib/tenants/apps/app";

export interface UserApp {
  app: App;
  workspace: { id: string; name: string; plan: Plan };
  role: Role;
}

/** An app of a workspace that the user is a member of. Throws NOT_FOUND for any other app. */
export async function getUserApp(db: Db, userId: string, appId: string): Promise<UserApp> {
  if (!isUuid(appId)) fail("NOT_FOUND", "There is no such app");
  const [row] = await db.orm
    .select({
      app: apps,
      workspace: { id: workspaces.id, name: workspaces.name, plan: workspaces.plan },
      role: memberships.role,
    })
    .from(apps)
    .innerJoin(memberships, eq(memberships.workspaceId, apps.workspaceId))
    .innerJoin(workspaces, eq(workspaces.id, apps.workspaceId))
    .where(and(eq(apps.id, appId), isNull(apps.deletedAt), eq(memberships.userId, userId)));
  return row ?? fail("NOT_FOUND", "There is no such app");
}
