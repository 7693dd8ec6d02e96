import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import {
  accountEvents,
  accountTokens,
  recoveryCodes,
  sessions,
  userIdentities,
  users,
} from "@/lib/platform/db/schema";
import { sweepAccounts } from "@/lib/program/retention/sweep-global";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { exportAccountEvents, listAccountEvents, recordAccountEvent } from "@/lib/tenants/accounts/events";
import { createSession, endSession, endSessions } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { getUser } from "@/lib/tenants/accounts/user";
import { connectOAuth, disconnectOAuth } from "@/lib/tenants/oauth/connect";
import { signInWithOAuth } from "@/lib/tenants/oauth/sign-in";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/tenants/two-factor/disable";
import { finishSignIn } from "@/lib/tenants/two-factor/verify";
import { emailedToken, newUser, signedUpUser } from "@/lib/testing/accounts";
import { useClock } from "@/lib/testing/clock";
import { captureLog } from "@/lib/testing/redis/limits";
import { useService } from "@/lib/testing/service";
import { twoFactorUser } from "@/lib/testing/two-factor";

useService({ AUTH_SECRET: "s".repeat(32) });
const advance = useClock();
const log = captureLog() as unknown as Record<string, unknown>[];

const rowsOfUser = (userId: string) =>
  Promise.all([
    database().orm.select().from(users).where(eq(users.id, userId)),
    ...[accountEvents, accountTokens, recoveryCodes, sessions, userIdentities].map((table) =>
      database().orm.select().from(table).where(eq(table.userId, userId)),
    ),
  ]);

/** An account with rows of every kind, which nothing that another account does may change. */
let bystander: Awaited<ReturnType<typeof rowsOfUser>>;
beforeEach(async () => {
  const { session, ...user } = await signedUpUser();
  const userId = session.id;
  await createSession(database(), session, { address: user.address, userAgent: "" });
  await requestPasswordReset(database(), user);
  const factor = { totpSecret: Buffer.from("x"), totpEnabledAt: new Date(), totpLastStep: 1 };
  await database().orm.update(users).set(factor).where(eq(users.id, userId));
  // Set by the tests' clock, so that it is not swept.
  const expiresAt = new Date(Date.now() + 60_000);
  await database().orm.update(accountTokens).set({ expiresAt }).where(eq(accountTokens.userId, userId));
  await database()
    .orm.insert(userIdentities)
    .values(
      (["github", "google"] as const).map((provider) => ({ provider, providerAccountId: userId, userId })),
    );
  await database()
    .orm.insert(recoveryCodes)
    .values({ userId, codeHash: Buffer.from("x") });
  bystander = await rowsOfUser(userId);
  expect(bystander.every((rows) => rows.length > 0)).toBe(true);
  log.length = 0;
});
afterEach(async () => {
  expect(await rowsOfUser(bystander[0][0]?.id ?? "")).toEqual(bystander);
});

/** The security log, oldest first, as "action: detail". */
async function storedEvents(userId: string): Promise<string[]> {
  const events = await listAccountEvents(database(), userId, { size: 100 });
  return events.reverse().map(({ action, detail }) => (detail ? `${action}: ${detail}` : action));
}

const logged = () => log.filter(({ msg }) => msg === "account event");

test("a sign-in that an unconfirmed address refuses is an event of its account", async () => {
  const user = newUser();
  await signUp(database(), user);
  await expect(signInWithPassword(database(), user)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const [{ id } = { id: "" }] = await database().orm.select().from(users).where(eq(users.email, user.email));
  expect(await storedEvents(id)).toEqual(["sign_in.unconfirmed: Password"]);
  const event = { account: id, action: "sign_in.unconfirmed", address: user.address };
  expect(logged()).toEqual([expect.objectContaining(event)]);
});

test("the security log holds sign-ins, wrong passwords, resets, changes and ended sessions, with their address", async () => {
  const { session, ...user } = await signedUpUser();
  const { id } = session;
  await signInWithPassword(database(), user);
  await signInWithPassword(database(), { ...user, password: "wrong horse" }).catch(() => undefined);
  await confirmPassword(database(), id, "wrong horse", user).catch(() => undefined);
  const { sessionId } = await createSession(database(), session, { address: user.address, userAgent: "" });
  await endSession(database(), { userId: id, sessionId, address: user.address });
  await endSession(database(), { userId: id, sessionId, address: user.address }).catch(() => undefined);
  const other = await createSession(database(), session, { address: user.address, userAgent: "" });
  await endSessions(database(), { ...user, ...other, userId: id });
  await requestPasswordReset(database(), user);
  const token = await emailedToken(user.email, "reset");
  await resetPassword(database(), { token, password: "a newer password", address: user.address });
  await updatePassword(database(), id, {
    ...user,
    password: "a newer password",
    newPassword: "the newest of all",
  });
  const identity = { provider: "github", providerAccountId: id, address: user.address } as const;
  await connectOAuth(database(), await getUser(database(), id), identity);
  await signInWithOAuth(database(), { ...identity, name: "Ann", email: null });
  const proof = { ...identity, password: "the newest of all" };
  await disconnectOAuth(database(), id, proof);
  await disconnectOAuth(database(), id, proof);
  const expected = [
    "account.confirmed",
    "sign_in.succeeded: Password",
    "password.wrong",
    "password.wrong",
    "session.ended",
    "session.all_ended",
    "password.reset_requested",
    "password.reset",
    "sign_in.succeeded: Link by email",
    "password.changed",
    "oauth.connected: GitHub",
    "sign_in.succeeded: GitHub",
    "oauth.disconnected: GitHub",
  ];
  expect(await storedEvents(id)).toEqual(expected);
  const events = await listAccountEvents(database(), id, { size: 100 });
  expect(new Set(events.map(({ address }) => address))).toEqual(new Set([user.address]));
  expect(logged().map(({ action }) => action)).toEqual(expected.map((text) => text.replace(/:.*/, "")));
  expect(logged().every((line) => line.account === id && line.address === user.address)).toBe(true);
  expect(JSON.stringify(log)).not.toMatch(new RegExp(`${user.email}|${user.password}|wrong horse|${token}`));
});

test("the security log holds the second factor: enabled, asked for, passed, failed, recovered and disabled", async () => {
  const account = await twoFactorUser(advance);
  const { id, session, address } = account;
  await signInWithPassword(database(), account);
  await finishSignIn(database(), session, { code: "000000", address }).catch(() => undefined);
  await finishSignIn(database(), session, { code: account.shown(), address });
  const [first = "", second = ""] = account.codes;
  await finishSignIn(database(), session, { code: first, address });
  const { recoveryCodes } = await renewRecoveryCodes(database(), id, { ...account, code: second });
  await disableTwoFactor(database(), id, { ...account, code: recoveryCodes[0] ?? "" });
  expect(await storedEvents(id)).toEqual([
    "account.confirmed",
    "two_factor.enabled",
    "sign_in.code_needed: Password",
    "code.wrong",
    "sign_in.succeeded: Code",
    "recovery_code.used",
    "sign_in.succeeded: Code",
    "recovery_code.used",
    "recovery_code.renewed",
    "recovery_code.used",
    "two_factor.disabled",
  ]);
  expect(JSON.stringify(log)).not.toMatch(
    new RegExp([...account.codes, ...recoveryCodes, account.secret].join("|")),
  );
});

test("a wrong password for an unknown address leaves a row of no user and a line without an account", async () => {
  const stranger = newUser();
  await signInWithPassword(database(), stranger).catch(() => undefined);
  expect(logged()).toMatchObject([{ action: "password.wrong", address: stranger.address }]);
  expect(logged()[0]).not.toHaveProperty("account");
  const rows = await database()
    .orm.select()
    .from(accountEvents)
    .where(eq(accountEvents.address, stranger.address));
  expect(rows).toHaveLength(1);
});

test("a user sees the own events only, the newest 20, and exports all of them", async () => {
  const [owner, other] = [await signedUpUser(), await signedUpUser()];
  const { id } = owner.session;
  const event = { userId: id, action: "session.ended", address: owner.address } as const;
  for (let number = 0; number < 30; number++)
    await recordAccountEvent(database(), { ...event, detail: String(number) });
  await recordAccountEvent(database(), { ...event, userId: other.session.id, detail: "other" });
  const shown = await listAccountEvents(database(), id);
  expect(shown.map(({ detail }) => detail)).toEqual(Array.from({ length: 20 }, (_, n) => String(29 - n)));
  const exported: (string | Date | null)[] = [];
  for await (const { detail } of exportAccountEvents(database(), id)) exported.push(detail);
  expect(exported).toEqual([...Array.from({ length: 30 }, (_, n) => String(29 - n)), null]);
});

test("events are swept after 180 days, and deleted with their account", async () => {
  const { session, ...user } = await signedUpUser();
  const { id: userId } = session;
  const idOf = (days: number) => firstIdAt(new Date(Date.now() - days * 86_400_000));
  const row = { userId, action: "session.ended", address: user.address };
  const [old, young] = [idOf(181), idOf(179)];
  await database()
    .orm.insert(accountEvents)
    .values([old, young].map((id) => ({ ...row, id })));
  await sweepAccounts(database(), new Date());
  const left = (await listAccountEvents(database(), userId)).map(({ id }) => id);
  expect(left).toContain(young);
  expect(left).not.toContain(old);
  await deleteAccount(database(), userId, { ...user, confirm: user.email });
  expect(await listAccountEvents(database(), userId)).toEqual([]);
});
