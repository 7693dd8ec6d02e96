import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { getAccount } from "@/lib/accounts/get-account";
import { signUp } from "@/lib/accounts/sign-up";
import { database } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { readToken } from "@/lib/session/token";
import { identitiesOf, makeOwner, useOAuth } from "@/lib/testing/oauth";
import { APP_URL, browser, PROVIDERS } from "@/lib/testing/oauth-browser";

vi.mock("@/lib/session/oauth-endpoints", () => ({ OAUTH_ENDPOINTS: { github: {}, google: {} } }));

const oauth = useOAuth();

describe.each(PROVIDERS)("signing in with %s", (provider) => {
  test("makes an account with a workspace, and finds it again by the service's own id", async () => {
    const first = browser();
    expect(await first.signIn(provider, "/dashboard/account")).toBe(`${APP_URL}/dashboard/account`);
    const person = await first.session();
    const { email } = oauth.server.person;
    expect(person).toMatchObject({ email, name: "Ann Ash", workspaces: [{ role: "owner" }] });
    expect(await getAccount(database(), person?.id ?? "")).toMatchObject({ hasPassword: false });
    oauth.server.person = { ...oauth.server.person, email: `new-${email}`, verified: false };
    const second = browser();
    expect(await second.signIn(provider)).toBe(`${APP_URL}/dashboard`);
    expect(await second.session()).toMatchObject({ id: person?.id, email });
  });

  test("connects the account with the same address where both have verified it", async () => {
    const { id } = await makeOwner(oauth.server.person.email);
    const one = browser();
    await one.signIn(provider);
    expect(await one.session()).toMatchObject({ id, name: "Owner" });
    expect(await identitiesOf(id)).toMatchObject([
      { provider, providerAccountId: String(oauth.server.person.id) },
    ]);
  });

  test("opens no account by an address that the service has not verified", async () => {
    const { id } = await makeOwner(oauth.server.person.email);
    oauth.server.person.verified = false;
    const one = browser();
    expect(await one.signIn(provider)).toBe(`${APP_URL}/sign-in?error=unverified`);
    expect(await one.session()).toBeUndefined();
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("leaves nothing to who signed up with the address before and never confirmed it", async () => {
    const { email } = oauth.server.person;
    const thief = { email, name: "Thief", password: "the thief's own", address: "192.0.2.9" };
    await signUp(database(), thief);
    const one = browser();
    await one.signIn(provider);
    const person = await one.session();
    expect(person).toMatchObject({ email, name: "Ann Ash" });
    expect(await getAccount(database(), person?.id ?? "")).toMatchObject({ hasPassword: false });
  });

  test("asks for the second factor all the same", async () => {
    const { id } = await makeOwner(oauth.server.person.email);
    await database().orm.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, id));
    const one = browser();
    const location = await one.signIn(provider, "/dashboard/account");
    expect(location).toBe(`${APP_URL}/sign-in/code?next=%2Fdashboard%2Faccount`);
    expect(one.jar.has("metacode.session")).toBe(false);
    const step = one.jar.get("metacode.step");
    expect(await readToken(step, "step")).toEqual({ id, sessionVersion: 1 });
    expect(await readToken(step)).toBeUndefined();
  });

  test("takes no return that it did not send out itself", async () => {
    const [one, other] = [browser(), browser()];
    const back = await one.leave(provider);
    const theirs = await other.leave(provider);
    const forged = [
      () => browser().call(back),
      () => one.call(back.replace(/state=[^&]+/, "state=forged")),
      () => one.call(back.replace(/&state=[^&]+/, "")),
      () => other.call(back),
      () => one.call(back.replace(/code=[^&]+/, `code=${/code=([^&]+)/.exec(theirs)?.[1]}`)),
      () => one.call(`callback/${provider}?error=access_denied`),
    ];
    for (const attempt of forged) {
      const location = (await attempt()).headers.get("location") ?? "";
      expect(location).toMatch(/\/api\/auth\/error\?error=\w*Callback$/);
      const landing = await browser().call(location.replace(`${APP_URL}/api/auth/`, ""));
      expect(landing.headers.get("location")).toBe(`${APP_URL}/sign-in?error=elsewhere`);
    }
    expect([await one.session(), await other.session()]).toEqual([undefined, undefined]);
  });

  test("works once", async () => {
    const one = browser();
    const back = await one.leave(provider);
    const checks = new Map(one.jar);
    await one.call(back);
    expect(await one.session()).toBeDefined();
    const again = browser();
    for (const [name, value] of checks) again.jar.set(name, value);
    await again.call(back);
    expect(await again.session()).toBeUndefined();
  });

  test("leads to no other site", async () => {
    expect(await browser().signIn(provider, "https://evil.example/")).toBe(`${APP_URL}/dashboard`);
    const one = browser();
    const back = await one.leave(provider);
    one.jar.set("metacode.callback", encodeURIComponent("https://evil.example/"));
    expect((await one.call(back)).headers.get("location")).toBe(`${APP_URL}/dashboard`);
  });

  test("makes no account where sign-up is closed", async () => {
    Object.assign(env(), { SIGN_UP: "closed" });
    const one = browser();
    expect(await one.signIn(provider)).toBe(`${APP_URL}/sign-in?error=closed`);
    expect(await one.session()).toBeUndefined();
    await makeOwner(oauth.server.person.email);
    await one.signIn(provider);
    Object.assign(env(), { SIGN_UP: "open" });
    expect(await one.session()).toBeDefined();
  });

  test("begins only with the proof against forged forms", async () => {
    const body = new URLSearchParams({ csrfToken: "made up" });
    const start = await browser().call(`signin/${provider}`, { method: "POST", body });
    expect(start.headers.get("location")).not.toContain(oauth.server.url);
    expect((await browser().call(`signin/${provider}`)).status).toBe(404);
  });
});

describe("a token of Google", () => {
  test.each([{ nonce: "another" }, { iss: "https://evil.example" }, { aud: "someone" }, { exp: 1 }])(
    "with %j is refused",
    async (claims) => {
      oauth.server.claims = claims;
      const one = browser();
      expect(await one.signIn("google")).toMatch(/error=OAuthCallback$/);
      expect(await one.session()).toBeUndefined();
    },
  );
});

test("a service that is not set up has no endpoints", async () => {
  Object.assign(env(), { GITHUB_ID: undefined });
  expect((await browser().call("callback/github?code=x&state=y")).status).toBe(404);
  expect((await browser().call("signin/github", { method: "POST" })).status).toBe(404);
  Object.assign(env(), { GITHUB_ID: "gh" });
});
