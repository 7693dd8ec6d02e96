import type { User } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { tryEmail } from "@/lib/tenants/accounts/email-address";
import type { OAuthProvider } from "@/lib/tenants/accounts/user";

/** The addresses of the OAuth services; tests replace them with servers of their own. */
export const OAUTH_ENDPOINTS = {
  github: {
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    api: "https://api.github.com",
  },
  google: { issuer: "https://accounts.google.com" },
};

/** Milliseconds that a call to a service may take. */
const PATIENCE_MS = 5_000;

const githubUser = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() });
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const googleClaims = z.object({
  sub: z.string(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
});

/** A user as a service describes them; `email` must be verified there. Checked here, as next-auth only lower-cases it. */
function userOf(id: string, name: string, email: string | undefined): User {
  return { id, name, email: tryEmail(email ?? "") ?? null, sessionVersion: 0, sessionId: "" };
}

async function fetchGithub(path: string, token: string | undefined): Promise<unknown> {
  const response = await fetch(`${OAUTH_ENDPOINTS.github.api}${path}`, {
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/vnd.github+json",
      "User-Agent": "metacode",
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
  return response.json();
}

/** Addresses need a separate request: a GitHub profile shows any address its owner chose, or none. */
function github(clientId: string, clientSecret: string): OAuthConfig<Record<string, unknown>> {
  const { authorize, token, api } = OAUTH_ENDPOINTS.github;
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    checks: ["state", "pkce"],
    clientId,
    clientSecret,
    authorization: { url: authorize, params: { scope: "read:user user:email" } },
    token,
    userinfo: {
      url: `${api}/user`,
      request: async ({ tokens }) => {
        const user = githubUser.parse(await fetchGithub("/user", tokens.access_token));
        const emails = githubEmails.parse(await fetchGithub("/user/emails", tokens.access_token));
        return {
          ...user,
          name: user.name ?? undefined,
          verified: emails.find(({ primary, verified }) => primary && verified)?.email,
        };
      },
    },
    profile: (profile) => {
      const { id, login, name } = githubUser.parse(profile);
      return userOf(String(id), name || login, z.string().optional().parse(profile.verified));
    },
  };
}

function google(clientId: string, clientSecret: string): OAuthConfig<Record<string, unknown>> {
  const { issuer } = OAUTH_ENDPOINTS.google;
  return {
    id: "google",
    name: "Google",
    type: "oauth",
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    checks: ["state", "pkce", "nonce"],
    idToken: true,
    clientId,
    clientSecret,
    authorization: { params: { scope: "openid email profile", prompt: "select_account" } },
    profile: (profile) => {
      const { sub, email, email_verified, name } = googleClaims.parse(profile);
      return userOf(sub, name || email || "New user", email_verified ? email : undefined);
    },
  };
}

/** The OAuth services that the operator has set up, in the order of the buttons. */
export function oauthProviders(): OAuthConfig<Record<string, unknown>>[] {
  const { GITHUB_ID, GITHUB_SECRET, GOOGLE_ID, GOOGLE_SECRET } = env();
  return [
    ...(GITHUB_ID && GITHUB_SECRET ? [github(GITHUB_ID, GITHUB_SECRET)] : []),
    ...(GOOGLE_ID && GOOGLE_SECRET ? [google(GOOGLE_ID, GOOGLE_SECRET)] : []),
  ];
}

/** The same for pages: id and name of each. */
export function listOAuthProviders(): { id: OAuthProvider; name: string }[] {
  return oauthProviders().map(({ id, name }) => ({ id: id as OAuthProvider, name }));
}
