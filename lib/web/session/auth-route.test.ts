import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { GET, POST, PUT } from "@/app/api/auth/[...nextauth]/route";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { createSession, endSessions } from "@/lib/tenants/accounts/session";
import { stopClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";

const APP_URL = "http://metacode.example";
useService({ APP_URL, AUTH_SECRET: "s".repeat(32), NEXTAUTH_URL: APP_URL });

const owner = { email: "owner@example.com", password: "correct horse" };
beforeAll(async () => {
  await createUser(database(), { ...owner, name: "Owner" });
});

const HANDLERS = { GET, POST, PUT };
type Init = RequestInit & { method?: keyof typeof HANDLERS };

function call(path: string, init: Init = {}): Promise<Response> {
  const request = new Request(`${APP_URL}/api/auth/${path}`, init);
  const nextauth = path.split("?", 1)[0]?.split("/") as unknown as string;
  return HANDLERS[init.method ?? "GET"](request, { params: Promise.resolve({ nextauth }) });
}

const jar = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");

async function signIn(fields: Record<string, string>, cookie = "") {
  const proof = await call("csrf");
  const { csrfToken } = await proof.json();
  const body = new URLSearchParams({ csrfToken, json: "true", ...fields });
  const headers = { cookie: `${jar(proof)}; ${cookie}` };
  return call("callback/credentials", { method: "POST", body, headers });
}

function expectFrame(response: Response) {
  for (const name of ["limit", "remaining", "reset"]) {
    expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
}

describe("next-auth's endpoints", () => {
  test("give a session for the right password, and redirect to no other site", async () => {
    const response = await signIn({ ...owner, callbackUrl: "https://evil.example/" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ url: `${APP_URL}/dashboard` });
    expectFrame(response);
    const session = await call("session", { headers: { cookie: jar(response) } });
    expect(await session.json()).toMatchObject({ user: { email: owner.email, name: "Owner" } });
  });

  test("end the session that the browser had before", async () => {
    const copy = jar(await signIn(owner));
    const sessionWith = async (cookie: string) => (await call("session", { headers: { cookie } })).json();
    expect(await sessionWith(copy)).toMatchObject({ user: { email: owner.email } });
    const next = jar(await signIn(owner, copy));
    expect([await sessionWith(copy), await sessionWith(next)]).toEqual([
      {},
      expect.objectContaining({ user: expect.anything() }),
    ]);
  });

  test("read the last of two session cookies, as the pages do", async () => {
    const valid = jar(await signIn(owner));
    const sessionWith = async (cookie: string) => (await call("session", { headers: { cookie } })).json();
    expect(await sessionWith(`metacode.session=old; ${valid}`)).toMatchObject({
      user: { email: owner.email },
    });
    expect(await sessionWith(`${valid}; metacode.session=old`)).toEqual({});
  });

  test("refuse a wrong password in the envelope, without a session", async () => {
    const response = await signIn({ ...owner, password: "wrong horse" });
    expect(response.status).toBe(401);
    expect((await response.json()).error.code).toBe("UNAUTHORIZED");
    expect(jar(response)).not.toContain("session");
    expectFrame(response);
  });

  test("recognise a browser that signed in before, which strangers cannot lock out", async () => {
    stopClock();
    const accounts = ["ann", "bob"].map((name) => ({
      email: `${name}@example.com`,
      password: "correct horse",
    }));
    const [ann = owner, bob = owner] = accounts;
    const { id } = await createUser(database(), { ...ann, name: "Ann" });
    await createUser(database(), { ...bob, name: "Bob" });
    const [familiar, other] = [jar(await signIn(ann)), jar(await signIn(bob))];
    expect(familiar).toContain("metacode.device=");
    for (let time = 0; time < 5; time++) await signIn({ ...ann, password: "wrong horse" });
    const device = familiar.replace(/.*(metacode\.device=[^;]*).*/, "$1");
    const changed = `${device.slice(0, -4)}AAAA`;
    const statuses = [];
    for (const cookie of ["", other, changed, device]) statuses.push((await signIn(ann, cookie)).status);
    expect(statuses).toEqual([429, 429, 429, 200]);
    const address = "192.0.2.1";
    const session = await createSession(database(), { id, sessionVersion: 1 }, { address, userAgent: "" });
    await endSessions(database(), { userId: id, sessionId: session.sessionId, address });
    expect((await signIn(ann, device)).status).toBe(429);
  });

  test("do not bypass the second factor", async () => {
    const account = { email: "careful@example.com", password: "correct horse" };
    const { id } = await createUser(database(), { ...account, name: "Careful" });
    await database().orm.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, id));
    const response = await signIn(account);
    expect(response.status).toBe(403);
    expect((await response.json()).error.message).toContain("two-factor sign-in");
    expect(jar(response)).not.toMatch(/session|step/);
  });

  test("leave the session and its cookie alone while the database is away", async () => {
    const cookie = jar(await signIn(owner));
    const proof = await call("csrf");
    const { csrfToken } = await proof.json();
    const headers = { cookie: `${jar(proof)}; ${cookie}` };
    const signOut = () =>
      call("signout", { method: "POST", body: new URLSearchParams({ csrfToken, json: "true" }), headers });
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    for (const method of ["query", "connect"] as const)
      vi.spyOn(database().pool, method).mockImplementation(() => Promise.reject(away));
    const refused = [await call("session", { headers }), await signOut()];
    vi.restoreAllMocks();
    for (const response of refused) {
      expect([response.status, response.headers.getSetCookie()]).toEqual([503, []]);
      expect(response.headers.get("retry-after")).toBe("2");
      expectFrame(response);
    }
    const email = async () => (await (await call("session", { headers })).json()).user?.email;
    expect(await email()).toBe(owner.email);
    // The second sign-out, of a session that has ended, does not fail.
    for (const { status } of [await signOut(), await signOut()]) expect(status).toBe(200);
    expect(await email()).toBeUndefined();
  });

  test("check no password without a valid CSRF token", async () => {
    const body = new URLSearchParams({ ...owner, csrfToken: "made up" });
    const response = await call("callback/credentials", { method: "POST", body });
    expect(response.status).toBe(302);
    expect(jar(response)).not.toContain("session");
  });

  test.each<[number, string, Init]>([
    [404, "nothing", {}],
    [404, "csrf/more", {}],
    [404, "_log", { method: "POST", body: "{}" }],
    [405, "csrf", { method: "PUT" }],
    [
      400,
      "callback/credentials",
      { method: "POST", body: "{bad", headers: { "content-type": "application/json" } },
    ],
    [400, "signout", { method: "POST", body: "7", headers: { "content-type": "application/json" } }],
    [415, "signout", { method: "POST", body: "<a/>", headers: { "content-type": "text/xml" } }],
    [413, "signout", { method: "POST", body: new URLSearchParams({ a: "x".repeat(17_000) }) }],
    [200, "session", { headers: { authorization: "Bearer %ZZ", cookie: "metacode.session=%ZZ" } }],
    [200, "session", { headers: { cookie: "metacode.callback=::: ; =; metacode.csrf" } }],
    [200, "csrf?callbackUrl=%00", {}],
    [302, "signin?callbackUrl=javascript:1", {}],
    [302, "error?error=x", {}],
  ])("answer %i to %s %j, with the rate headers", async (status, path, init) => {
    const response = await call(path, init);
    expect(response.status).toBe(status);
    expectFrame(response);
    const location = response.headers.get("location");
    if (status === 302) expect(location).toBe(`${APP_URL}/sign-in`);
  });
});
