import type { Person } from "@/lib/accounts/find-person";
import { createApp } from "@/lib/apps/create";
import type { App } from "@/lib/apps/record";
import type { AppInput } from "@/lib/contract/app";
import { mayAct } from "@/lib/contract/roles";
import type { Db } from "@/lib/db/client";
import { fail } from "@/lib/errors";

/**
 * Makes an app in one of the person's workspaces. Throws NOT_FOUND for a workspace of others, FORBIDDEN below the
 * role admin, and VALIDATION_ERROR.
 */
export async function openApp(db: Db, person: Person, workspaceId: string, input: AppInput): Promise<App> {
  const workspace = person.workspaces.find(({ id }) => id === workspaceId);
  if (!workspace) return fail("NOT_FOUND", "There is no such workspace");
  if (!mayAct(workspace.role, "admin")) fail("FORBIDDEN", "This needs the role admin in the workspace");
  return createApp(db, workspace.id, input);
}
