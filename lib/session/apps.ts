import type { Membership, Person } from "@/lib/accounts/find-person";
import { listAppNames } from "@/lib/accounts/list-app-names";
import { type AppSummary, listAppSummaries } from "@/lib/accounts/list-apps";
import { database } from "@/lib/db/client";
import { currentPerson } from "@/lib/session/person";

interface Group {
  workspace: Membership;
  apps: AppSummary[];
}

/** The signed-in person's workspaces with their apps. */
export async function listAppsOf(): Promise<{ person: Person; groups: Group[] }> {
  const person = await currentPerson();
  const ids = person.workspaces.map(({ id }) => id);
  const summaries = await listAppSummaries(database(), ids);
  const groups = person.workspaces.map((workspace) => ({
    workspace,
    apps: summaries.filter(({ app }) => app.workspaceId === workspace.id),
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
