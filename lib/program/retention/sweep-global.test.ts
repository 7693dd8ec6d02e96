import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { accountTokens, emails, sessions, users } from "@/lib/platform/db/schema";
import { sweepAccounts } from "@/lib/program/retention/sweep-global";
import { createSession } from "@/lib/tenants/accounts/session";
import { requestPasswordReset } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { newUser, signedUpUser } from "@/lib/testing/accounts";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const addresses = async () =>
  (await database().orm.select({ email: users.email }).from(users)).map(({ email }) => email);

test("an unconfirmed sign-up is deleted with its last link, an account stays", async () => {
  const [early, late, owner] = [newUser(), newUser(), await signedUpUser()];
  await signUp(database(), early);
  await signUp(database(), late);
  await requestPasswordReset(database(), owner);
  await database().orm.update(emails).set({ sentAt: new Date() });
  await database()
    .orm.update(accountTokens)
    .set({ expiresAt: inHours(48) })
    .where(eq(accountTokens.email, late.email));
  await sweepAccounts(database(), inHours(23));
  expect((await addresses()).sort()).toEqual([early, late, owner].map(({ email }) => email).sort());
  await sweepAccounts(database(), inHours(25));
  expect((await addresses()).sort()).toEqual([late, owner].map(({ email }) => email).sort());
  const links = await database().orm.select({ email: accountTokens.email }).from(accountTokens);
  expect(links).toEqual([{ email: late.email }]);
});

test("emails are stored for 30 days, and until they are sent", async () => {
  await database().orm.delete(emails);
  const idOf = (days: number) => firstIdAt(inHours(-24 * days)).slice(0, 14) + uuidv7().slice(14);
  const mail = { recipient: "a@example.com", subject: "x", text: "" };
  const [old, young, waiting] = [idOf(31), idOf(29), idOf(31)];
  await database()
    .orm.insert(emails)
    .values([
      { ...mail, id: old, sentAt: new Date() },
      { ...mail, id: young, sentAt: new Date() },
      { ...mail, id: waiting },
    ]);
  expect(await sweepAccounts(database(), new Date())).toBe(1);
  const left = await database().orm.select({ id: emails.id }).from(emails);
  expect(left.map(({ id }) => id).sort()).toEqual([young, waiting].sort());
});

test("a session is gone after 15 days, although the sweep pauses", async () => {
  const { session } = await signedUpUser();
  await createSession(database(), session, { address: "192.0.2.7", userAgent: "x" });
  await sweepAccounts(database(), inHours(15 * 24 - 0.5));
  expect(await database().orm.$count(sessions, eq(sessions.userId, session.id))).toBe(0);
});
