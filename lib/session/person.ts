import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findPerson, type Person } from "@/lib/accounts/find-person";
import { database } from "@/lib/db/client";
import { cookieName } from "@/lib/session/cookie";
import { PATH_HEADER } from "@/lib/session/page-headers";
import { returnPath } from "@/lib/session/return-path";
import { readToken } from "@/lib/session/token";

/** Who is signed in, or undefined. The database is asked once a request, and at every request. */
export const findCurrentPerson = cache(async (): Promise<Person | undefined> => {
  const session = await readToken((await cookies()).get(cookieName("session"))?.value);
  return session && findPerson(database(), session);
});

/** Who is signed in; anyone else is sent to sign in and comes back to this page. */
export async function currentPerson(): Promise<Person> {
  const person = await findCurrentPerson();
  if (person) return person;
  const path = returnPath((await headers()).get(PATH_HEADER));
  return redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
