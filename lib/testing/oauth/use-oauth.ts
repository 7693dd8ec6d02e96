import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { database } from "@/lib/platform/db/client";
import { userIdentities } from "@/lib/platform/db/schema";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { APP_URL } from "@/lib/testing/oauth/browser";
import { type OAuthServer, startOAuthServer } from "@/lib/testing/oauth/server";
import { useService } from "@/lib/testing/service";
import { OAUTH_ENDPOINTS } from "@/lib/web/session/oauth-providers";

/**
 * Configures the service for both OAuth providers, which lead to a test server; every test has its own account
 * there. To be called at the top of the file.
 */
export function useOAuth(): { readonly server: OAuthServer } {
  useService({
    APP_URL,
    AUTH_SECRET: "s".repeat(32),
    NEXTAUTH_URL: APP_URL,
    GITHUB_ID: "gh",
    GITHUB_SECRET: "gh-secret",
    GOOGLE_ID: "go",
    GOOGLE_SECRET: "go-secret",
  });
  const own = {} as { server: OAuthServer };
  beforeAll(async () => {
    own.server = await startOAuthServer({ id: 1, name: "Ann", email: "", verified: true });
    const { url } = own.server;
    Object.assign(OAUTH_ENDPOINTS, {
      github: { authorize: `${url}/authorize`, token: `${url}/token`, api: url },
      google: { issuer: url },
    });
  });
  afterAll(() => own.server.stop());
  let last = 0;
  beforeEach(() => {
    const email = `${uuidv7()}@example.com`;
    own.server.account = { id: ++last, name: "Ann Ash", email, verified: true };
    own.server.claims = {};
  });
  return own;
}

/** An account with a password. */
export async function makeOwner(email: string) {
  const account = { email, name: "Owner", password: "correct horse" };
  return { ...account, ...(await createUser(database(), account)) };
}

/** The OAuth identities of an account. */
export function identitiesOf(userId: string) {
  return database().orm.select().from(userIdentities).where(eq(userIdentities.userId, userId));
}
