import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { userIdentities } from "@/lib/platform/db/schema";
import { disconnectOAuth } from "@/lib/tenants/oauth/connect";
import { APP_URL, OAUTH_PROVIDERS, testBrowser } from "@/lib/testing/oauth/browser";
import { identitiesOf, makeOwner, useOAuth } from "@/lib/testing/oauth/use-oauth";
import { sessionToken } from "@/lib/testing/session-token";
import { issueStepToken, readSessionToken } from "@/lib/web/session/token";

const _oauth = useOAuth();

describe("connecting", () => {
  const sessionOf = async (id: string) => {
    const browser = testBrowser();
    browser.jar.set("metacode.session", await sessionToken({ id, sessionVersion: 1 }));
    browser.jar.set("metacode.connect", await issueStepToken({ id, sessionVersion: 1 }, "connect"));
    return browser;
  };

  test("adds a way to sign in, whatever email address the service names", async () => {
    const { id } = await makeOwner("someone@elsewhere.example");
    const browser = await sessionOf(id);
    expect(await browser.signIn("github")).toBe(`${APP_URL}/dashboard/account`);
    expect(await browser.session()).toMatchObject({ id });
    expect(browser.jar.has("metacode.connect")).toBe(false);
    const other = testBrowser();
    await other.signIn("github");
    expect(await other.session()).toMatchObject({ id });
  });

  test("does not move an OAuth account that another account has", async () => {
    await testBrowser().signIn("github");
    const { id } = await makeOwner("second@elsewhere.example");
    const browser = await sessionOf(id);
    expect(await browser.signIn("github")).toBe(`${APP_URL}/dashboard/account?error=taken`);
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("does nothing after another user has signed in here, or the user signed out", async () => {
    const [requester, current] = [
      await makeOwner("third@elsewhere.example"),
      await makeOwner("fourth@elsewhere.example"),
    ];
    const browser = await sessionOf(requester.id);
    browser.jar.set("metacode.session", await sessionToken({ id: current.id, sessionVersion: 1 }));
    await browser.signIn("github");
    const two = await sessionOf(requester.id);
    two.jar.delete("metacode.session");
    await two.signIn("google");
    expect([...(await identitiesOf(requester.id)), ...(await identitiesOf(current.id))]).toEqual([]);
    expect(await two.session()).toBeUndefined();
  });

  test("can be undone, except for the last way to sign in", async () => {
    await testBrowser().signIn("github");
    const browser = testBrowser();
    await browser.signIn("google");
    const { id = "", sessionId } = (await readSessionToken(browser.jar.get("metacode.session"))) ?? {};
    expect(await identitiesOf(id)).toHaveLength(2);
    const all = await identitiesOf(id);
    for (let time = 0; time < 10; time++) {
      const both = await Promise.allSettled(
        OAUTH_PROVIDERS.map((name) =>
          disconnectOAuth(database(), id, { provider: name, sessionId, address: "203.0.113.9" }),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await identitiesOf(id)).toHaveLength(1);
      await database().orm.insert(userIdentities).values(all).onConflictDoNothing();
    }
  });

  test("can be undone with the password, or soon after signing in where there is none", async () => {
    const refused = expect.objectContaining({ code: "UNAUTHORIZED" });
    const from = { provider: "github", address: "203.0.113.9" } as const;
    const { id, password } = await makeOwner("fifth@elsewhere.example");
    const browser = await sessionOf(id);
    await browser.signIn("github");
    const { sessionId } = (await readSessionToken(browser.jar.get("metacode.session"))) ?? {};
    await expect(disconnectOAuth(database(), id, { ...from, sessionId })).rejects.toEqual(refused);
    expect(await identitiesOf(id)).toHaveLength(1);
    await disconnectOAuth(database(), id, { ...from, password });
    expect(await identitiesOf(id)).toEqual([]);
    const guest = testBrowser();
    await guest.signIn("github");
    await guest.signIn("google");
    const { id: guestId = "" } = (await guest.session()) ?? {};
    // Another session, which has ended, proves nothing.
    await expect(disconnectOAuth(database(), guestId, { ...from, sessionId })).rejects.toEqual(refused);
  });
});
