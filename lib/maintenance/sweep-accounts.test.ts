import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { requestReset } from "@/lib/accounts/request-reset";
import { signUp } from "@/lib/accounts/sign-up";
import { database } from "@/lib/db/client";
import { accountTokens, mails, users } from "@/lib/db/schema";
import { idFrom } from "@/lib/maintenance/chunks";
import { sweepAccounts } from "@/lib/maintenance/sweep-accounts";
import { arrived, newcomer } from "@/lib/testing/newcomer";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const emails = async () =>
  (await database().orm.select({ email: users.email }).from(users)).map((one) => one.email);

test("a sign-up that nobody confirmed goes with its last link, an account stays", async () => {
  const [early, late, owner] = [newcomer(), newcomer(), await arrived()];
  await signUp(database(), early);
  await signUp(database(), late);
  await requestReset(database(), owner);
  await database()
    .orm.update(accountTokens)
    .set({ expiresAt: inHours(48) })
    .where(eq(accountTokens.email, late.email));
  await sweepAccounts(database(), inHours(23));
  expect((await emails()).sort()).toEqual([early, late, owner].map(({ email }) => email).sort());
  await sweepAccounts(database(), inHours(25));
  expect((await emails()).sort()).toEqual([late, owner].map(({ email }) => email).sort());
  const links = await database().orm.select({ email: accountTokens.email }).from(accountTokens);
  expect(links).toEqual([{ email: late.email }]);
});

test("mail is kept for 30 days, and as long as it was not sent", async () => {
  await database().orm.delete(mails);
  const idOf = (days: number) => idFrom(inHours(-24 * days)).slice(0, 14) + uuidv7().slice(14);
  const mail = { recipient: "a@example.com", subject: "x", text: "" };
  const [old, young, waiting] = [idOf(31), idOf(29), idOf(31)];
  await database()
    .orm.insert(mails)
    .values([
      { ...mail, id: old, sentAt: new Date() },
      { ...mail, id: young, sentAt: new Date() },
      { ...mail, id: waiting },
    ]);
  expect(await sweepAccounts(database(), new Date())).toBe(1);
  const left = await database().orm.select({ id: mails.id }).from(mails);
  expect(left.map(({ id }) => id).sort()).toEqual([young, waiting].sort());
});
