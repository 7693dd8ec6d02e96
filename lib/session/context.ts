import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { uuidv7 } from "uuidv7";
import { findApp, type PersonApp } from "@/lib/accounts/find-app";
import type { Person } from "@/lib/accounts/find-person";
import { appRef } from "@/lib/apps/ref";
import type { Context, UserActor, WorkspaceContext } from "@/lib/context";
import { mayAct, type Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { AppError, fail } from "@/lib/errors";
import { clientAddress } from "@/lib/http/client-address";
import { unmetered } from "@/lib/quota/meter";
import { currentPerson } from "@/lib/session/person";

interface Room extends PersonApp {
  ctx: Context;
}

/** The app a person works in, as verbs want it. Throws NOT_FOUND, and FORBIDDEN below the role `needed`. */
export async function roomOf(person: Person, appId: string, needed: Role): Promise<Room> {
  const found = await findApp(database(), person.id, appId);
  if (!mayAct(found.role, needed)) fail("FORBIDDEN", `This needs the role ${needed} in the workspace`);
  const ctx: Context = {
    app: appRef(found.app),
    workspace: { id: found.workspace.id },
    actor: await actorOf(person),
    db: database(),
    requestId: uuidv7(),
    meter: unmetered,
  };
  return { ...found, ctx };
}

/** A workspace that a person belongs to, as verbs want it. Throws NOT_FOUND, and FORBIDDEN below the role `needed`. */
export async function officeOf(person: Person, workspaceId: string, needed: Role): Promise<WorkspaceContext> {
  const found = person.workspaces.find(({ id }) => id === workspaceId);
  if (!found) return fail("NOT_FOUND", "There is no such workspace");
  const { role, ...workspace } = found;
  if (!mayAct(role, needed)) fail("FORBIDDEN", `This needs the role ${needed} in the workspace`);
  return { workspace, role, actor: await actorOf(person), db: database() };
}

/** A signed-in person as verbs name who acts. */
export async function actorOf({ id, name }: Person): Promise<UserActor> {
  return { kind: "user", id, name, address: clientAddress({ headers: await headers() }) };
}

/** The page's answer to what a person may not see: the page of missing things. */
export async function orNotFound<Result>(room: Promise<Result>): Promise<Result> {
  try {
    return await room;
  } catch (error) {
    if (error instanceof AppError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) notFound();
    throw error;
  }
}

/** The workspace of a page; someone else's, or one below the role `needed`, is a missing page. */
export const workspaceContext = cache(
  async (workspaceId: string, needed: Role = "viewer"): Promise<WorkspaceContext> =>
    orNotFound(officeOf(await currentPerson(), workspaceId, needed)),
);

/** The room of a page: signs in first, and shows the page of missing things for an app of someone else. */
export const personContext = cache(async (appId: string): Promise<Room> => {
  return orNotFound(roomOf(await currentPerson(), appId, "viewer"));
});
