import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { getAccount } from "@/lib/tenants/account-settings/get-account";
import { requestPasswordReset } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { emailedToken } from "@/lib/testing/accounts";
import { APP_URL, OAUTH_PROVIDERS, testBrowser } from "@/lib/testing/oauth/browser";
import { identitiesOf, makeOwner, useOAuth } from "@/lib/testing/oauth/use-oauth";
import { readSessionToken, readStepToken } from "@/lib/web/session/token";

const oauth = useOAuth();

describe.each(OAUTH_PROVIDERS)("signing in with %s", (provider) => {
  test("creates an account with a workspace, and finds it again by the service's id", async () => {
    const first = testBrowser();
    oauth.server.account.name = "Ann\u202e\n\u2028Ash ";
    const forgotten = { email: oauth.server.account.email, address: "192.0.2.9" };
    await requestPasswordReset(database(), forgotten);
    expect(await first.signIn(provider, "/dashboard/account")).toBe(`${APP_URL}/dashboard/account`);
    const user = await first.session();
    const { email } = oauth.server.account;
    expect(user).toMatchObject({ email, name: "Ann Ash", workspaces: [{ role: "owner" }] });
    expect(await getAccount(database(), user?.id ?? "")).toMatchObject({ hasPassword: false });
    await requestPasswordReset(database(), forgotten);
    expect(await emailedToken(email, "reset")).not.toBe("no link");
    oauth.server.account = { ...oauth.server.account, email: `new-${email}`, verified: false };
    const second = testBrowser();
    expect(await second.signIn(provider)).toBe(`${APP_URL}/dashboard`);
    expect(await second.session()).toMatchObject({ id: user?.id, email });
  });

  test("connects the account with the same address if both sides have verified it", async () => {
    const { id } = await makeOwner(oauth.server.account.email);
    const browser = testBrowser();
    await browser.signIn(provider);
    expect(await browser.session()).toMatchObject({ id, name: "Owner" });
    expect(await identitiesOf(id)).toMatchObject([
      { provider, providerAccountId: String(oauth.server.account.id) },
    ]);
  });

  test("signs in to no account by an address that the service has not verified", async () => {
    const { id } = await makeOwner(oauth.server.account.email);
    oauth.server.account.verified = false;
    const browser = testBrowser();
    expect(await browser.signIn(provider)).toBe(`${APP_URL}/sign-in?error=unverified`);
    expect(await browser.session()).toBeUndefined();
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("signs in to no account by an address that only lower case makes equal, with a Kelvin sign for a k", async () => {
    const { account } = oauth.server;
    const { id } = await makeOwner(`mike.${account.email}`);
    oauth.server.account = { ...account, email: `mi\u212ae.${account.email}` };
    const browser = testBrowser();
    expect(await browser.signIn(provider)).toBe(`${APP_URL}/sign-in?error=unverified`);
    expect(await browser.session()).toBeUndefined();
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("takes over an unconfirmed sign-up with the address, without its password", async () => {
    const { email } = oauth.server.account;
    const thief = { email, name: "Thief", password: "the thief's own", address: "192.0.2.9" };
    await signUp(database(), thief);
    const browser = testBrowser();
    await browser.signIn(provider);
    const user = await browser.session();
    expect(user).toMatchObject({ email, name: "Ann Ash" });
    expect(await getAccount(database(), user?.id ?? "")).toMatchObject({ hasPassword: false });
  });

  test("still asks for the second factor", async () => {
    const { id } = await makeOwner(oauth.server.account.email);
    await database().orm.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, id));
    const browser = testBrowser();
    const location = await browser.signIn(provider, "/dashboard/account");
    expect(location).toBe(`${APP_URL}/sign-in/code?next=%2Fdashboard%2Faccount`);
    expect(browser.jar.has("metacode.session")).toBe(false);
    const step = browser.jar.get("metacode.step");
    expect(await readStepToken(step, "step")).toEqual({ id, sessionVersion: 1 });
    expect(await readSessionToken(step)).toBeUndefined();
  });

  test("accepts only returns of sign-ins that it started itself", async () => {
    const [browser, other] = [testBrowser(), testBrowser()];
    const back = await browser.leave(provider);
    const theirs = await other.leave(provider);
    const forged = [
      () => testBrowser().call(back),
      () => browser.call(back.replace(/state=[^&]+/, "state=forged")),
      () => browser.call(back.replace(/&state=[^&]+/, "")),
      () => other.call(back),
      () => browser.call(back.replace(/code=[^&]+/, `code=${/code=([^&]+)/.exec(theirs)?.[1]}`)),
      () => browser.call(`callback/${provider}?error=access_denied`),
    ];
    for (const attempt of forged) {
      const location = (await attempt()).headers.get("location") ?? "";
      expect(location).toMatch(/\/api\/auth\/error\?error=\w*Callback$/);
      const landing = await testBrowser().call(location.replace(`${APP_URL}/api/auth/`, ""));
      expect(landing.headers.get("location")).toBe(`${APP_URL}/sign-in?error=oauth`);
    }
    expect([await browser.session(), await other.session()]).toEqual([undefined, undefined]);
  });

  test("works once", async () => {
    const browser = testBrowser();
    const back = await browser.leave(provider);
    const checks = new Map(browser.jar);
    await browser.call(back);
    expect(await browser.session()).toBeDefined();
    const again = testBrowser();
    for (const [name, value] of checks) again.jar.set(name, value);
    await again.call(back);
    expect(await again.session()).toBeUndefined();
  });

  test("leads to no other site", async () => {
    expect(await testBrowser().signIn(provider, "https://evil.example/")).toBe(`${APP_URL}/dashboard`);
    const browser = testBrowser();
    const back = await browser.leave(provider);
    browser.jar.set("metacode.callback", encodeURIComponent("https://evil.example/"));
    expect((await browser.call(back)).headers.get("location")).toBe(`${APP_URL}/dashboard`);
  });

  test("creates no account when sign-up is closed", async () => {
    Object.assign(env(), { SIGN_UP: "closed" });
    const browser = testBrowser();
    expect(await browser.signIn(provider)).toBe(`${APP_URL}/sign-in?error=closed`);
    expect(await browser.session()).toBeUndefined();
    await makeOwner(oauth.server.account.email);
    await browser.signIn(provider);
    Object.assign(env(), { SIGN_UP: "open" });
    expect(await browser.session()).toBeDefined();
  });

  test("starts only with a valid CSRF token", async () => {
    const body = new URLSearchParams({ csrfToken: "made up" });
    const start = await testBrowser().call(`signin/${provider}`, { method: "POST", body });
    expect(start.headers.get("location")).not.toContain(oauth.server.url);
    expect((await testBrowser().call(`signin/${provider}`)).status).toBe(404);
  });
});

describe("a token of Google", () => {
  test.each([{ nonce: "another" }, { iss: "https://evil.example" }, { aud: "someone" }, { exp: 1 }])(
    "with %j is refused",
    async (claims) => {
      oauth.server.claims = claims;
      const browser = testBrowser();
      expect(await browser.signIn("google")).toMatch(/error=OAuthCallback$/);
      expect(await browser.session()).toBeUndefined();
    },
  );
});

test("a service that is not set up has no endpoints", async () => {
  Object.assign(env(), { GITHUB_ID: undefined });
  expect((await testBrowser().call("callback/github?code=x&state=y")).status).toBe(404);
  expect((await testBrowser().call("signin/github", { method: "POST" })).status).toBe(404);
  Object.assign(env(), { GITHUB_ID: "gh" });
});
