import type { AuthOptions, User } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { Elsewhere, Identity } from "@/lib/accounts/elsewhere";
import { findPerson } from "@/lib/accounts/find-person";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { pathOf } from "@/lib/session/auth-cookies";
import {
  type CookieName,
  cookieName,
  cookieOptions,
  SESSION_SECONDS,
  secureCookies,
} from "@/lib/session/cookie";
import { oauthProviders } from "@/lib/session/oauth-providers";
import { returnPath } from "@/lib/session/return-path";
import { sessionSecret } from "@/lib/session/token";

declare module "next-auth" {
  interface User {
    sessionVersion: number;
  }
}

/** Answers one attempt to sign in. */
export type Authorize = (email: string, password: string) => Promise<SignedIn | null>;

/** Answers somebody who signed in elsewhere: with the account that gets a session, or the address to go to instead. */
export type Welcome = (identity: Identity, user: Partial<User>) => Promise<SignedIn | string>;

/** Sessions as the sign-in page makes them, for clients that speak next-auth's own endpoints. */
export function authOptions(authorize: Authorize, welcome: Welcome): AuthOptions {
  const cookie = (name: CookieName) => ({ name: cookieName(name), options: cookieOptions() });
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: secureCookies(),
    cookies: {
      sessionToken: cookie("session"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("callback"),
      state: cookie("state"),
      pkceCodeVerifier: cookie("pkce"),
      nonce: cookie("nonce"),
    },
    pages: { signIn: `${env().APP_URL}/sign-in`, error: `${env().APP_URL}/sign-in` },
    providers: [
      ...oauthProviders(),
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: (given) => authorize(given?.email ?? "", given?.password ?? ""),
      }),
    ],
    callbacks: {
      signIn: async ({ user, account }) => {
        if (account?.type !== "oauth") return true;
        const { provider, providerAccountId } = account;
        const answer = await welcome({ provider: provider as Elsewhere, providerAccountId }, user);
        if (typeof answer === "string") return answer;
        // From here on the library makes the session of whoever this object names.
        Object.assign(user, answer);
        return true;
      },
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
