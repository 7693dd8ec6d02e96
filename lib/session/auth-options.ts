import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { findPerson } from "@/lib/accounts/find-person";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { cookieName, cookieOptions, SESSION_SECONDS, secureCookies } from "@/lib/session/cookie";
import { returnPath } from "@/lib/session/return-path";
import { sessionSecret } from "@/lib/session/token";

declare module "next-auth" {
  interface User {
    sessionVersion: number;
  }
}

/** Answers one attempt to sign in. */
export type Authorize = (email: string, password: string) => Promise<SignedIn | null>;

/** Sessions as the sign-in page makes them, for clients that speak next-auth's own endpoints. */
export function authOptions(authorize: Authorize): AuthOptions {
  const cookie = (name: "session" | "csrf" | "callback") => ({
    name: cookieName(name),
    options: cookieOptions(),
  });
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: secureCookies(),
    cookies: { sessionToken: cookie("session"), csrfToken: cookie("csrf"), callbackUrl: cookie("callback") },
    pages: { signIn: `${env().APP_URL}/sign-in`, error: `${env().APP_URL}/sign-in` },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: (given) => authorize(given?.email ?? "", given?.password ?? ""),
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { sub: user.id, sessionVersion: user.sessionVersion } : token),
      session: async ({ token, session }) => {
        const account = { id: String(token.sub), sessionVersion: Number(token.sessionVersion) };
        const person = await findPerson(database(), account);
        // Nothing but an error ends the session here, and takes its cookie away.
        if (!person) throw new Error("this session was ended");
        return { ...session, user: { id: person.id, name: person.name, email: person.email } };
      },
      redirect: ({ url }) => env().APP_URL + returnPath(pathOf(url)),
    },
    // The library's own logger prints to the console, with whatever was sent.
    logger: {
      error: (code) => log().info({ reason: code }, "a session request was refused"),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

function pathOf(url: string): string {
  const base = env().APP_URL;
  return url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}
