import { findApp } from "@/lib/accounts/find-app";
import type { Membership, Person } from "@/lib/accounts/find-person";
import { listAppNames } from "@/lib/accounts/list-app-names";
import { type AppSummary, listAppSummaries } from "@/lib/accounts/list-apps";
import { type DeletedApp, listDeletedApps } from "@/lib/apps/delete";
import type { App } from "@/lib/apps/record";
import { database } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { currentPerson } from "@/lib/session/person";

interface Group {
  workspace: Membership;
  apps: AppSummary[];
  /** Shown to owners, who can bring them back. */
  deleted: DeletedApp[];
}

/** The signed-in person's workspaces with their apps. */
export async function listAppsOf(): Promise<{ person: Person; groups: Group[] }> {
  const person = await currentPerson();
  const ids = person.workspaces.map(({ id }) => id);
  const summaries = await listAppSummaries(database(), ids);
  const own = person.workspaces.filter(({ role }) => role === "owner").map(({ id }) => id);
  const deleted = await listDeletedApps(database(), own);
  const groups = person.workspaces.map((workspace) => ({
    workspace,
    apps: summaries.filter(({ app }) => app.workspaceId === workspace.id),
    deleted: deleted.filter(({ workspaceId }) => workspaceId === workspace.id),
  }));
  return { person, groups };
}

/** Where the signed-in person can go: workspaces and their apps, by name. */
export async function listPlaces(person: Person) {
  const ids = person.workspaces.map(({ id }) => id);
  return {
    workspaces: person.workspaces.map(({ id, name }) => ({ id, name })),
    apps: await listAppNames(database(), ids),
  };
}

/** Another app that the signed-in person may see, such as the twin of the one at hand. */
export async function findPersonApp(appId: string): Promise<App | undefined> {
  const person = await currentPerson();
  const found = await findApp(database(), person.id, appId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  return found?.app;
}
