import type { AuthOptions, User } from "next-auth";
import type { JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { SESSION_SECONDS, type Session, type SignedInUser } from "@/lib/tenants/accounts/session";
import type { OAuthProvider } from "@/lib/tenants/accounts/user";
import type { OAuthIdentity } from "@/lib/tenants/oauth/connect";
import { type CookieName, cookieName, cookieOptions, pathOf, secureCookies } from "@/lib/web/session/cookies";
import { oauthProviders } from "@/lib/web/session/oauth-providers";
import { returnPath } from "@/lib/web/session/paths";
import { sessionSecret } from "@/lib/web/session/token";

declare module "next-auth" {
  interface User {
    sessionVersion: number;
    sessionId: string;
  }
}

/** Checks one sign-in with a password. */
type Authorize = (email: string, password: string) => Promise<Session | null>;

/** Handles one return from an OAuth service: the account that gets a session, or the address to redirect to. */
export type OAuthReturnHandler = (identity: OAuthIdentity, user: Partial<User>) => Promise<Session | string>;

/** The user of a session; undefined when it has ended. */
type ResumeHandler = (session: Session) => Promise<SignedInUser | undefined>;

/** Ends a session on the server when its browser signs out. */
type SignOutHandler = (session: Session) => Promise<void>;

/** The steps of next-auth that this service takes itself. */
export interface AuthHandlers {
  authorize: Authorize;
  onOAuthReturn: OAuthReturnHandler;
  onResume: ResumeHandler;
  onSignOut: SignOutHandler;
}

const contentOf = ({ id, sessionVersion, sessionId }: User) => ({ sub: id, sessionVersion, sessionId });

function sessionOf(token: JWT): Session {
  const { sub, sessionVersion, sessionId } = token;
  return { id: String(sub), sessionVersion: Number(sessionVersion), sessionId: String(sessionId) };
}

/** next-auth's options: the same sessions as the sign-in page makes, for OAuth and for clients of next-auth's endpoints. */
export function authOptions({ authorize, onOAuthReturn, onResume, onSignOut }: AuthHandlers): AuthOptions {
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
        authorize: (fields) => authorize(fields?.email ?? "", fields?.password ?? ""),
      }),
    ],
    callbacks: {
      signIn: async ({ user, account }) => {
        if (account?.type !== "oauth") return true;
        const { provider, providerAccountId } = account;
        const answer = await onOAuthReturn({ provider: provider as OAuthProvider, providerAccountId }, user);
        if (typeof answer === "string") return answer;
        // next-auth makes the session for the account in this object.
        Object.assign(user, answer);
        return true;
      },
      jwt: ({ token, user }) => (user ? contentOf(user) : token),
      session: async ({ token, session }) => {
        const user = await onResume(sessionOf(token));
        // Only an error makes next-auth end the session and delete its cookie.
        if (!user) throw new Error("this session was ended");
        return { ...session, user: { id: user.id, name: user.name, email: user.email } };
      },
      redirect: ({ url }) => env().APP_URL + returnPath(pathOf(url)),
    },
    events: {
      signOut: ({ token }) => onSignOut(sessionOf(token)),
    },
    // next-auth's own logger prints requests to the console.
    logger: {
      error: (code) => log().info({ reason: code }, "a session request was refused"),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}
