import { notFound } from "next/navigation";
import { cache } from "react";
import { uuidv7 } from "uuidv7";
import { findApp, type PersonApp } from "@/lib/accounts/find-app";
import type { Person } from "@/lib/accounts/find-person";
import { appRef } from "@/lib/apps/ref";
import type { Context } from "@/lib/context";
import { mayAct, type Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { AppError, fail } from "@/lib/errors";
import { unmetered } from "@/lib/quota/meter";
import { currentPerson } from "@/lib/session/person";

export interface Room extends PersonApp {
  ctx: Context;
}

/** The app a person works in, as verbs want it. Throws NOT_FOUND, and FORBIDDEN below the role `needed`. */
export async function roomOf(person: Person, appId: string, needed: Role): Promise<Room> {
  const found = await findApp(database(), person.id, appId);
  if (!mayAct(found.role, needed)) fail("FORBIDDEN", `This needs the role ${needed} in the workspace`);
  const ctx: Context = {
    app: appRef(found.app),
    workspace: { id: found.workspace.id },
    actor: { kind: "user", id: person.id },
    db: database(),
    requestId: uuidv7(),
    meter: unmetered,
  };
  return { ...found, ctx };
}

/** The room of a page: signs in first, and shows the page of missing things for an app of someone else. */
export const personContext = cache(async (appId: string): Promise<Room> => {
  const person = await currentPerson();
  try {
    return await roomOf(person, appId, "viewer");
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  }
});
