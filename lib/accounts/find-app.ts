import { and, eq, isNull } from "drizzle-orm";
import type { App } from "@/lib/apps/record";
import type { Plan } from "@/lib/contract/plan";
import type { Role } from "@/lib/contract/roles";
import { isUuid } from "@/lib/contract/uuid";
import type { Db } from "@/lib/db/client";
import { apps, memberships, workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

export interface PersonApp {
  app: App;
  workspace: { id: string; name: string; plan: Plan };
  role: Role;
}

/** An app of a workspace the person belongs to; any other app is as unknown as none. Throws NOT_FOUND. */
export async function findApp(db: Db, userId: string, appId: string): Promise<PersonApp> {
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
