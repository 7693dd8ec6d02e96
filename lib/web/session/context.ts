import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { uuidv7 } from "uuidv7";
import { isUuid } from "@/lib/contract/fields";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { SignedInUser } from "@/lib/tenants/accounts/session";
import { appRef } from "@/lib/tenants/apps/app";
import { getUserApp, type UserApp } from "@/lib/tenants/apps/get";
import type { Context, UserActor, WorkspaceContext } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";
import { getQuota } from "@/lib/tenants/quota/usage";
import { clientAddress } from "@/lib/web/http/client-address";
import { currentUser } from "@/lib/web/session/current-user";

interface AppContext extends UserApp {
  ctx: Context;
}

/** Logs a refused access and throws its error. */
function refuseAccess(
  user: SignedInUser,
  place: { app?: string; workspace?: string },
  error: unknown,
): never {
  if (error instanceof AppError)
    log().warn({ user: user.id, ...place, reason: error.message }, "a user was refused access");
  throw error;
}

const roleMissing = (needed: Role) =>
  new AppError("FORBIDDEN", `This needs the role ${needed} in the workspace`);

/** A user's context in an app. Throws NOT_FOUND, and FORBIDDEN below the role `needed`. */
export async function appContextFor(user: SignedInUser, appId: string, needed: Role): Promise<AppContext> {
  // Any other text may be a secret that was pasted into the address.
  const place = isUuid(appId) ? { app: appId } : {};
  const found = await getUserApp(database(), user.id, appId).catch((error) =>
    refuseAccess(user, place, error),
  );
  if (!mayAct(found.role, needed)) refuseAccess(user, place, roleMissing(needed));
  const ctx: Context = {
    app: appRef(found.app),
    workspace: { id: found.workspace.id },
    actor: { ...(await actorOf(user)), needed },
    db: database(),
    requestId: uuidv7(),
    meter: unmetered,
  };
  return { ...found, ctx };
}

/** A member's context in a workspace. Throws NOT_FOUND, and FORBIDDEN below the role `needed`. */
export async function workspaceContextFor(
  user: SignedInUser,
  workspaceId: string,
  needed: Role,
): Promise<WorkspaceContext> {
  const found = user.workspaces.find(({ id }) => id === workspaceId);
  const place = isUuid(workspaceId) ? { workspace: workspaceId } : {};
  if (!found) return refuseAccess(user, place, new AppError("NOT_FOUND", "There is no such workspace"));
  const { role, ...workspace } = found;
  if (!mayAct(role, needed)) refuseAccess(user, place, roleMissing(needed));
  return { workspace, role, actor: { ...(await actorOf(user)), needed }, db: database() };
}

/** The signed-in user as the actor of a verb. */
export async function actorOf({ id, name }: SignedInUser): Promise<UserActor> {
  return { kind: "user", id, name, address: clientAddress({ headers: await headers() }) };
}

/**
 * Turns NOT_FOUND and FORBIDDEN into Next's "not found" page, so a page does not reveal whether something exists.
 */
export async function orNotFound<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof AppError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) notFound();
    throw error;
  }
}

/** The workspace of a page; a missing page for users who are not members, or below the role `needed`. */
export const workspaceContext = cache(
  async (workspaceId: string, needed: Role = "viewer"): Promise<WorkspaceContext> =>
    orNotFound(workspaceContextFor(await currentUser(), workspaceId, needed)),
);

/** The quota of a page's workspace, for the frame and the page. */
export const quotaOf = cache(getQuota);

/** The app of a page; visitors are sent to sign in, and an app of another user is a missing page. */
export const appContext = cache(async (appId: string): Promise<AppContext> => {
  return orNotFound(appContextFor(await currentUser(), appId, "viewer"));
});
