import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { database } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import {
  DEMO_USER_ID,
  findDemoVisitor,
  resumeSession,
  type Session,
  type SignedInUser,
} from "@/lib/tenants/accounts/session";
import { cookieName } from "@/lib/web/session/cookies";
import { PATH_HEADER } from "@/lib/web/session/page-headers";
import { returnPath } from "@/lib/web/session/paths";
import { readSessionToken } from "@/lib/web/session/token";

/** The content of this browser's session cookie; only {@link currentUser} checks whether the session is still valid. */
export async function currentSession(): Promise<Session | undefined> {
  return readSessionToken((await cookies()).get(cookieName("session"))?.value);
}

/** The signed-in user, or undefined. Read from the database once in every request. */
const findCurrentUser = cache(async (): Promise<SignedInUser | undefined> => {
  const session = await currentSession();
  return session && resumeSession(database(), session);
});

/** The signed-in user with an account, for pages that treat a visitor of the demo like any other visitor. */
export async function findAccountUser(): Promise<SignedInUser | undefined> {
  const user = await findCurrentUser();
  return user?.demo ? undefined : user;
}

/** Whether visitors may open the demo. */
export async function isDemoOpen(): Promise<boolean> {
  return (await findDemoVisitor(database())) !== undefined;
}

/** Throws FORBIDDEN for a visitor of the demo, by the session's token alone. Every frame of a change calls it first. */
export async function refuseDemoVisitor(): Promise<void> {
  if ((await currentSession())?.id !== DEMO_USER_ID) return;
  fail("FORBIDDEN", "The demo is read-only: nothing was changed");
}

/** The signed-in user; other visitors are sent to sign in and return to this page. */
export async function currentUser(): Promise<SignedInUser> {
  const user = await findCurrentUser();
  if (user) return user;
  const path = returnPath((await headers()).get(PATH_HEADER));
  return redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** For forms and uploads, whose input a redirect to the sign-in page would lose. */
export const SESSION_ENDED = "Your session has ended. Nothing was saved, and your input is still here";

/** The signed-in user of a request that cannot be redirected. Throws UNAUTHORIZED. */
export async function getSignedInUser(): Promise<SignedInUser> {
  return (await findCurrentUser()) ?? fail("UNAUTHORIZED", "Sign in first");
}
