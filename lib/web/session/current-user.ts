import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { database } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { resumeSession, type SignedInUser } from "@/lib/tenants/accounts/session";
import { cookieName } from "@/lib/web/session/cookies";
import { PATH_HEADER } from "@/lib/web/session/page-headers";
import { returnPath } from "@/lib/web/session/paths";
import { readSessionToken } from "@/lib/web/session/token";

/** The signed-in user, or undefined. Read from the database once in every request. */
export const findCurrentUser = cache(async (): Promise<SignedInUser | undefined> => {
  const session = await readSessionToken((await cookies()).get(cookieName("session"))?.value);
  return session && resumeSession(database(), session);
});

/** The signed-in user; other visitors are sent to sign in and return to this page. */
export async function currentUser(): Promise<SignedInUser> {
  const user = await findCurrentUser();
  if (user) return user;
  const path = returnPath((await headers()).get(PATH_HEADER));
  return redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** The signed-in user of a request that cannot be redirected. Throws UNAUTHORIZED. */
export async function getSignedInUser(): Promise<SignedInUser> {
  return (await findCurrentUser()) ?? fail("UNAUTHORIZED", "Sign in first");
}
