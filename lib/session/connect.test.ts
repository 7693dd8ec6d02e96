import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createUser } from "@/lib/accounts/create-user";
import { disconnect } from "@/lib/accounts/disconnect";
import { database } from "@/lib/db/client";
import { userIdentities } from "@/lib/db/schema";
import { OAUTH_ENDPOINTS } from "@/lib/session/oauth-endpoints";
import { issueToken } from "@/lib/session/token";
import { APP_URL, browser, PROVIDERS } from "@/lib/testing/oauth-browser";
import { type OAuthServer, startOAuth } from "@/lib/testing/oauth-server";
import { useService } from "@/lib/testing/service";

vi.mock("@/lib/session/oauth-endpoints", () => ({ OAUTH_ENDPOINTS: { github: {}, google: {} } }));

useService({
  APP_URL,
  AUTH_SECRET: "s".repeat(32),
  NEXTAUTH_URL: APP_URL,
  ...{ GITHUB_ID: "gh", GITHUB_SECRET: "gh-secret", GOOGLE_ID: "go", GOOGLE_SECRET: "go-secret" },
});

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuth({ id: 1, name: "Ann", email: "", verified: true });
  const { url } = server;
  Object.assign(OAUTH_ENDPOINTS, {
    github: { authorize: `${url}/authorize`, token: `${url}/token`, api: url },
    google: { issuer: url },
  });
});
afterAll(() => server.stop());

let last = 0;
beforeEach(() => {
  server.person = { id: ++last, name: "Ann Ash", email: `${uuidv7()}@example.com`, verified: true };
  server.claims = {};
});

async function owner(email = server.person.email) {
  const account = { email, name: "Owner", password: "correct horse" };
  return { ...account, ...(await createUser(database(), account)) };
}

const identities = (userId: string) =>
  database().orm.select().from(userIdentities).where(eq(userIdentities.userId, userId));

describe("connecting", () => {
  const sessionOf = async (id: string) => {
    const one = browser();
    one.jar.set("metacode.session", await issueToken({ id, sessionVersion: 1 }));
    one.jar.set("metacode.connect", await issueToken({ id, sessionVersion: 1 }, "connect"));
    return one;
  };

  test("adds a way in, whatever the address there", async () => {
    const { id } = await owner("someone@elsewhere.example");
    const one = await sessionOf(id);
    expect(await one.signIn("github")).toBe(`${APP_URL}/dashboard/account`);
    expect(await one.session()).toMatchObject({ id });
    expect(one.jar.has("metacode.connect")).toBe(false);
    const other = browser();
    await other.signIn("github");
    expect(await other.session()).toMatchObject({ id });
  });

  test("leaves an account elsewhere with whom it belongs to", async () => {
    await browser().signIn("github");
    const { id } = await owner("second@elsewhere.example");
    const one = await sessionOf(id);
    expect(await one.signIn("github")).toBe(`${APP_URL}/dashboard/account?error=taken`);
    expect(await identities(id)).toEqual([]);
  });

  test("is nothing for another person who has signed in here since, or for nobody", async () => {
    const [asked, now] = [await owner("third@elsewhere.example"), await owner("fourth@elsewhere.example")];
    const one = await sessionOf(asked.id);
    one.jar.set("metacode.session", await issueToken({ id: now.id, sessionVersion: 1 }));
    await one.signIn("github");
    const two = await sessionOf(asked.id);
    two.jar.delete("metacode.session");
    await two.signIn("google");
    expect([...(await identities(asked.id)), ...(await identities(now.id))]).toEqual([]);
    expect(await two.session()).toBeUndefined();
  });

  test("ends, but not with the last way in", async () => {
    await browser().signIn("github");
    const one = browser();
    await one.signIn("google");
    const { id = "" } = (await one.session()) ?? {};
    expect(await identities(id)).toHaveLength(2);
    const all = await identities(id);
    for (let time = 0; time < 10; time++) {
      const both = await Promise.allSettled(PROVIDERS.map((name) => disconnect(database(), id, name)));
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await identities(id)).toHaveLength(1);
      await database().orm.insert(userIdentities).values(all).onConflictDoNothing();
    }
  });
});
