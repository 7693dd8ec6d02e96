import { describe, expect, test, vi } from "vitest";
import { disconnect } from "@/lib/accounts/disconnect";
import { database } from "@/lib/db/client";
import { userIdentities } from "@/lib/db/schema";
import { issueToken } from "@/lib/session/token";
import { identitiesOf, makeOwner, useOAuth } from "@/lib/testing/oauth";
import { APP_URL, browser, PROVIDERS } from "@/lib/testing/oauth-browser";

vi.mock("@/lib/session/oauth-endpoints", () => ({ OAUTH_ENDPOINTS: { github: {}, google: {} } }));

const _oauth = useOAuth();

describe("connecting", () => {
  const sessionOf = async (id: string) => {
    const one = browser();
    one.jar.set("metacode.session", await issueToken({ id, sessionVersion: 1 }));
    one.jar.set("metacode.connect", await issueToken({ id, sessionVersion: 1 }, "connect"));
    return one;
  };

  test("adds a way in, whatever the address there", async () => {
    const { id } = await makeOwner("someone@elsewhere.example");
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
    const { id } = await makeOwner("second@elsewhere.example");
    const one = await sessionOf(id);
    expect(await one.signIn("github")).toBe(`${APP_URL}/dashboard/account?error=taken`);
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("is nothing for another person who has signed in here since, or for nobody", async () => {
    const [asked, now] = [
      await makeOwner("third@elsewhere.example"),
      await makeOwner("fourth@elsewhere.example"),
    ];
    const one = await sessionOf(asked.id);
    one.jar.set("metacode.session", await issueToken({ id: now.id, sessionVersion: 1 }));
    await one.signIn("github");
    const two = await sessionOf(asked.id);
    two.jar.delete("metacode.session");
    await two.signIn("google");
    expect([...(await identitiesOf(asked.id)), ...(await identitiesOf(now.id))]).toEqual([]);
    expect(await two.session()).toBeUndefined();
  });

  test("ends, but not with the last way in", async () => {
    await browser().signIn("github");
    const one = browser();
    await one.signIn("google");
    const { id = "" } = (await one.session()) ?? {};
    expect(await identitiesOf(id)).toHaveLength(2);
    const all = await identitiesOf(id);
    for (let time = 0; time < 10; time++) {
      const both = await Promise.allSettled(PROVIDERS.map((name) => disconnect(database(), id, name)));
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await identitiesOf(id)).toHaveLength(1);
      await database().orm.insert(userIdentities).values(all).onConflictDoNothing();
    }
  });
});
