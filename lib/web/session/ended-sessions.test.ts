import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { sessions, users } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import {
  createSession,
  endSession,
  endSessions,
  listSessions,
  resumeSession,
} from "@/lib/tenants/accounts/session";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { disableTwoFactor } from "@/lib/tenants/two-factor/disable";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { signedUpUser } from "@/lib/testing/accounts";
import { visit } from "@/lib/testing/matrix/visit";
import { useService } from "@/lib/testing/service";
import { shownPassword } from "@/lib/testing/two-factor";
import { currentSession } from "@/lib/web/session/current-user";
import { signOut, startSession } from "@/lib/web/session/sign-in";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

useService({ AUTH_SECRET: "s".repeat(32) });
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
const browser = { address: "203.0.113.9", userAgent: "Firefox" };

async function signedIn(count: number) {
  const { session: claims, ...account } = await signedUpUser();
  const all = [];
  for (let number = 0; number < count; number++) all.push(await createSession(database(), claims, browser));
  return { account, claims, all };
}

const alive = async (all: Parameters<typeof resumeSession>[1][]) =>
  Promise.all(all.map(async (session) => (await resumeSession(database(), session)) !== undefined));

test("signing out ends the session, so that a copy of its cookie is worthless", async () => {
  const { claims } = await signedIn(0);
  await visit({});
  await startSession(claims);
  const copy = await currentSession();
  if (!copy) throw new Error("no session was started");
  expect(await alive([copy])).toEqual([true]);
  await signOut();
  expect(await alive([copy])).toEqual([false]);
});

test("signing in again in a browser ends its earlier session, another account's too", async () => {
  const [first, second] = [await signedIn(1), await signedIn(0)];
  await visit({});
  await startSession(first.claims);
  const copies = [await currentSession()];
  for (const { claims } of [first, second]) {
    await startSession(claims);
    copies.push(await currentSession());
  }
  const copied = copies.flatMap((copy) => copy ?? []);
  expect(await alive([...copied, ...first.all])).toEqual([false, false, true, true]);
});

test("a user lists sessions and ends one, and no other user's", async () => {
  const { claims, all } = await signedIn(3);
  const [first, second] = all;
  if (!first || !second) throw new Error("no sessions");
  const stranger = await signedIn(1);
  const end = { userId: claims.id, sessionId: first.sessionId, address: browser.address };
  const others = endSession(database(), { ...end, userId: stranger.claims.id });
  await expect(others).rejects.toMatchObject({ code: "NOT_FOUND" });
  await endSession(database(), { ...end, sessionId: second.sessionId });
  expect(await alive(all)).toEqual([true, false, true]);
  const listed = await listSessions(database(), claims.id);
  expect(listed.map(({ id }) => id).sort()).toEqual([all[0]?.sessionId, all[2]?.sessionId].sort());
  expect(listed[0]).toMatchObject(browser);
  expect(await alive([{ ...first, id: stranger.claims.id }])).toEqual([false]);
});

test("a session ends when it is idle for the configured hours, and after two weeks in any case", async () => {
  const { all } = await signedIn(2);
  const [used] = all;
  if (!used) throw new Error("no session");
  const idle = env().SESSION_IDLE_HOURS * HOUR_MS;
  wait(idle - HOUR_MS);
  expect(await alive([used])).toEqual([true]);
  wait(2 * HOUR_MS);
  expect(await alive(all)).toEqual([true, false]);
  wait(idle - HOUR_MS + 1_000);
  expect(await alive([used])).toEqual([false]);
});

test("a new password and signing out everywhere delete the sessions' rows", async () => {
  const { account, claims } = await signedIn(2);
  const rows = () => database().orm.select().from(sessions).where(eq(sessions.userId, claims.id));
  const newPassword = "another horse";
  const next = await updatePassword(database(), claims.id, { ...account, newPassword });
  expect(await rows()).toEqual([]);
  const { sessionId } = await createSession(database(), next, browser);
  await endSessions(database(), { userId: claims.id, sessionId, address: browser.address });
  expect(await rows()).toEqual([]);
});

test("signing out other browsers makes the browser's own session no newer", async () => {
  const { claims } = await signedIn(0);
  const [, since] = [await visit({}), Date.now()];
  await startSession(claims);
  const { userId, sessionId } = { userId: claims.id, sessionId: (await currentSession())?.sessionId ?? "" };
  wait(11 * 60_000);
  await startSession(await endSessions(database(), { userId, sessionId, address: browser.address }));
  const [session] = await listSessions(database(), userId);
  expect(session?.id).not.toBe(sessionId);
  expect(session?.createdAt).toEqual(new Date(since));
  // A copy of the former session cannot start a new one.
  const again = endSessions(database(), { userId, sessionId, address: browser.address });
  await expect(again).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("without a password, two-factor sign-in is turned on and off, and the account deleted, after a recent sign-in", async () => {
  const { account, claims } = await signedIn(0);
  const { id } = claims;
  await database().orm.update(users).set({ passwordHash: null }).where(eq(users.id, id));
  const signIn = async (sessionVersion: number) => ({
    ...browser,
    ...(await createSession(database(), { id, sessionVersion }, browser)),
  });
  const stale = { code: "UNAUTHORIZED", message: expect.stringContaining("Sign in again") };
  const old = await signIn(1);
  wait(11 * 60_000);
  await expect(startTwoFactorSetup(database(), id, old)).rejects.toMatchObject(stale);
  await expect(startTwoFactorSetup(database(), id, browser)).rejects.toMatchObject(stale);
  const recent = await signIn(1);
  const { secret } = await startTwoFactorSetup(database(), id, recent);
  const proof = { ...recent, code: shownPassword(secret) };
  const [code = ""] = (await enableTwoFactor(database(), id, proof)).recoveryCodes;
  const late = { ...(await signIn(2)), code };
  wait(11 * 60_000);
  await expect(disableTwoFactor(database(), id, late)).rejects.toMatchObject(stale);
  const gone = deleteAccount(database(), id, { ...late, confirm: account.email });
  await expect(gone).rejects.toMatchObject(stale);
  await disableTwoFactor(database(), id, { ...(await signIn(2)), code });
});
