import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { emails, users } from "@/lib/platform/db/schema";
import { DUE_EMAILS, sendEmail } from "@/lib/platform/email/send";
import { leaseEmails, sendLeasedEmail } from "@/lib/platform/email/sender";
import { closeTransport } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { readBacklogs } from "@/lib/platform/jobs/backlog";
import { sweepAccounts } from "@/lib/program/retention/sweep-global";
import { requestPasswordReset } from "@/lib/tenants/sign-up/reset-password";
import { useService } from "@/lib/testing/service";
import { startSmtp, type TestSmtp } from "@/lib/testing/smtp";

useService();

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: "Metacode <hello@metacode.example>" });
});
afterAll(async () => {
  closeTransport();
  await smtp.stop();
});
beforeEach(async () => {
  await database().orm.delete(emails);
  smtp.answer(250);
  smtp.answer(250, "MAIL FROM");
});

/** Adds users who have confirmed these addresses. */
const confirm = (...addresses: string[]) =>
  database()
    .orm.insert(users)
    .values(addresses.map((email) => ({ id: uuidv7(), email, name: "Ann", emailVerifiedAt: new Date() })));

/** Sends the due emails at a time. */
async function sendAt(at: Date) {
  for (const email of await leaseEmails(database(), 10, at)) await sendLeasedEmail(database(), email, at);
}

/** Sends one email to each recipient and returns their rows, in this order. */
async function send(...recipients: string[]) {
  const db = database();
  for (const to of recipients) {
    await sendEmail(db, { to, subject: "Hello", text: "The link" });
    for (const email of await leaseEmails(db, 10)) await sendLeasedEmail(db, email);
  }
  return db.orm.select().from(emails).orderBy(emails.id);
}

/** Sets the emails back in time, and returns the seconds for which the oldest is late. */
async function lateAfter(minutes: number): Promise<number | undefined> {
  const back = sql`make_interval(mins => ${minutes})`;
  await database().orm.execute(
    sql`update mails set created_at = created_at - ${back}, failed_at = failed_at - ${back}`,
  );
  return (await readBacklogs(database(), [DUE_EMAILS]))[0]?.seconds;
}

test.each([530, 550, 553])(
  "an email whose sender is refused with %i waits, and is a failure of the mail server",
  async (status) => {
    smtp.answer(status, "MAIL FROM");
    const [row] = await send("ann@example.com");
    expect(row).toMatchObject({ failedAt: null, serverFailed: true, text: "The link" });
  },
);

test("a message that is refused for good has failed, and one of a server that closes or asks for a login is tried again", async () => {
  smtp.answer(554);
  expect(await send("ann@example.com")).toMatchObject([{ failedAt: expect.any(Date), text: "" }]);
  for (const [row, status] of [421, 530].entries()) {
    smtp.answer(status);
    expect((await send(`ben${row}@example.com`))[row + 1]).toMatchObject({
      failedAt: null,
      serverFailed: true,
    });
  }
});

test.each(["messages", "recipients"])(
  "emails are late while the %s of several recipients are refused for good",
  async (refused) => {
    const host = refused === "messages" ? "example.com" : "refused.example";
    if (refused === "recipients") await confirm(`ann@${host}`, `ben@${host}`);
    smtp.answer(554);
    await send(`ann@${host}`, `ann@${host}`);
    expect(await lateAfter(20)).toBe(0);
    await send(`ben@${host}`);
    expect(await lateAfter(20)).toBeGreaterThanOrEqual(2_400);
    smtp.answer(250);
    await send("cem@example.com");
    expect(await lateAfter(0)).toBe(0);
  },
);

test("emails to addresses that no user has confirmed are not late when they are refused: a sign-up may name any", async () => {
  await send("mistyped@refused.example", "made-up@refused.example");
  expect(await lateAfter(20)).toBe(0);
});

test("emails that were refused for good an hour ago are not late any more", async () => {
  await send("Ann@refused.example", "ben@refused.example");
  expect(await lateAfter(59)).toBeGreaterThan(3_500);
  expect(await lateAfter(2)).toBe(0);
});

/** Tries a password reset's email as often as it is due while nothing is accepted; returns the minutes of the attempts. */
async function resetAttempts(refusal: () => unknown): Promise<number[]> {
  const [email, start] = [`${uuidv7()}@example.com`, Date.now() + 1_000];
  await requestPasswordReset(database(), { email, address: "192.0.2.1" });
  refusal();
  const minutes: number[] = [];
  for (;;) {
    const [row] = await database().orm.select().from(emails);
    if (!row || row.failedAt) return minutes;
    const at = new Date(Math.max(start, Number(row.dueAt)));
    minutes.push(Math.round((Number(at) - start) / 60_000));
    await sendAt(at);
  }
}

test("an email with a link for an hour is tried within that hour only, and then counts as a failure of the mail server", async () => {
  expect(await resetAttempts(() => smtp.answer(421))).toEqual([0, 1, 6, 21, 36, 51, 56]);
  smtp.answer(250);
  expect(await database().orm.select().from(emails)).toMatchObject([{ serverFailed: true, text: "" }]);
});

test("an email whose link is dead before its first attempt is not sent, even after a sweep of dead links", async () => {
  await requestPasswordReset(database(), { email: "ann@example.com", address: "192.0.2.1" });
  const before = smtp.to("ann@example.com").length;
  const later = new Date(Date.now() + 3_601_000);
  await sweepAccounts(database(), later);
  await sendAt(later);
  expect(smtp.to("ann@example.com")).toHaveLength(before);
  expect(await database().orm.select().from(emails)).toMatchObject([{ sentAt: null, text: "" }]);
});

test("an only email that was given up because of the mail server is late for the next hour", async () => {
  const db = database();
  await sendEmail(db, { to: "ann@example.com", subject: "Hello", text: "The link" });
  smtp.answer(421);
  await db.orm.update(emails).set({ attempts: 6 });
  for (const email of await leaseEmails(db, 10)) await sendLeasedEmail(db, email);
  expect(await db.orm.select().from(emails)).toMatchObject([{ failedAt: expect.any(Date) }]);
  expect(await lateAfter(20)).toBeGreaterThan(1_000);
  expect(await lateAfter(41)).toBe(0);
});
