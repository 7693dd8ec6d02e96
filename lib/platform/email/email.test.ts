import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { readCounter } from "@/lib/platform/counters";
import { type Db, database } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { listRecentEmails, mailboxEnabled } from "@/lib/platform/email/mailbox";
import { sendEmail } from "@/lib/platform/email/send";
import { leaseEmails, sendLeasedEmail } from "@/lib/platform/email/sender";
import { closeTransport, type Deliver } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { captureLog } from "@/lib/testing/redis/limits";
import { useService } from "@/lib/testing/service";
import { startSmtp, type TestSmtp } from "@/lib/testing/smtp";

useService({ APP_URL: "https://metacode.example", NODE_ENV: "production" });
const log = captureLog();

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(async () => {
  closeTransport();
  await smtp.stop();
});
beforeEach(async () => {
  await database().orm.delete(emails);
  log.length = 0;
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: "Metacode <hello@metacode.example>" });
});
afterEach(() => {
  Object.assign(env(), {
    SMTP_URL: undefined,
    MAIL_FROM: undefined,
    MAILBOX: "auto",
    NODE_ENV: "production",
  });
});

const emailTo = (to = `${uuidv7()}@example.com`) => ({
  to,
  subject: "Hello",
  text: "The link:\n\nhttps://x.example/y\n",
});
const rowOf = async (to: string) => {
  const [row] = await database().orm.select().from(emails).where(eq(emails.recipient, to));
  return row;
};
const minutesFrom = (now: number, minutes: number) => new Date(now + minutes * 60_000);

/** The database counts microseconds, so an email of this millisecond may not be due in it. */
const soon = () => Date.now() + 1;

const BATCH = 10;

/** Sends the due emails like one process, and returns their number. */
async function sendDueEmails(db: Db, now?: Date, send?: Deliver): Promise<number> {
  const leased = await leaseEmails(db, BATCH, now);
  await Promise.all(leased.map((email) => sendLeasedEmail(db, email, now, send)));
  return leased.length;
}

describe("an email", () => {
  test("is sent with its cause, or not at all", async () => {
    const email = emailTo();
    const undone = database().transaction(async (tx) => {
      await sendEmail(tx, email);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await rowOf(email.to)).toBeUndefined();
  });

  test("reaches the mail server unchanged, and its text is deleted", async () => {
    const email = { ...emailTo(), subject: "\u202eGrüße\u2066 an\r\n\u2029Bcc: everyone@example.com" };
    await sendEmail(database(), email);
    expect(await sendDueEmails(database())).toBe(1);
    const [got] = smtp.to(email.to);
    expect(got?.from).toBe("hello@metacode.example");
    expect(got?.recipients).toEqual([email.to]);
    expect(got?.raw).toContain("From: Metacode <hello@metacode.example>");
    expect(got?.raw).toContain("https://x.example/y");
    const row = await rowOf(email.to);
    expect(got?.raw).toContain(`Message-ID: <${row?.id}@metacode.example>`);
    expect(row).toMatchObject({ attempts: 1, text: "", subject: "Grüße an Bcc: everyone@example.com" });
    expect(row?.sentAt).toBeInstanceOf(Date);
    expect(await sendDueEmails(database())).toBe(0);
  });

  test("that a user may switch off names the address that does so, and is stored without it once it is sent", async () => {
    const [wanted, needed] = [emailTo(), emailTo()];
    await sendEmail(database(), { ...wanted, unsubscribeUrl: "https://metacode.example/unsubscribe/a/b" });
    await sendEmail(database(), needed);
    await sendDueEmails(database());
    const raw = smtp.to(wanted.to)[0]?.raw;
    expect(raw).toContain("List-Unsubscribe: <https://metacode.example/unsubscribe/a/b>");
    expect(raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(smtp.to(needed.to)[0]?.raw).not.toContain("List-Unsubscribe");
    expect(await rowOf(wanted.to)).toMatchObject({ unsubscribeUrl: null });
  });

  test("is sent once by any number of processes", async () => {
    const all = Array.from({ length: 2 * BATCH }, () => emailTo());
    for (const email of all) await sendEmail(database(), email);
    const rounds = await Promise.all(Array.from({ length: 6 }, () => sendDueEmails(database())));
    expect(rounds.reduce((sum, taken) => sum + taken, 0)).toBe(all.length);
    expect(all.map(({ to }) => smtp.to(to).length)).toEqual(all.map(() => 1));
  });

  test("of a process whose clock is an hour ahead is due at once, and tried again after a minute", async () => {
    const email = emailTo();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    await sendEmail(database(), email);
    const [leased] = await leaseEmails(database(), BATCH);
    if (!leased) throw new Error("the email is not due");
    await sendLeasedEmail(database(), leased, undefined, () => Promise.reject(new Error("away")));
    const { rows } = await database().orm.execute<{ soon: boolean }>(
      sql`select due_at <= now() + interval '1 minute' as soon from mails where recipient = ${email.to}`,
    );
    expect(rows).toEqual([{ soon: true }]);
  });

  test("that everyone needs goes before those that may be switched off, however long these have been due", async () => {
    const [weekly, link] = [emailTo(), emailTo()];
    await sendEmail(database(), { ...weekly, unsubscribeUrl: "https://metacode.example/unsubscribe/a/b" });
    await sendEmail(database(), link);
    expect(await leaseEmails(database(), 1)).toMatchObject([{ recipient: link.to }]);
    expect(await leaseEmails(database(), 1)).toMatchObject([{ recipient: weekly.to }]);
  });

  test("that another process is leasing is skipped without waiting", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    await database().transaction(async (taking) => {
      await taking.orm.select().from(emails).where(eq(emails.recipient, email.to)).for("update");
      expect(await sendDueEmails(database())).toBe(0);
    });
    expect(await sendDueEmails(database())).toBe(1);
  });

  test("of a process that died is tried by another process when its lease ends", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    const now = soon();
    const never = () => new Promise<void>(() => undefined);
    void sendDueEmails(database(), new Date(now), never);
    await vi.waitFor(async () => expect((await rowOf(email.to))?.attempts).toBe(1), { timeout: 60_000 });
    expect(await sendDueEmails(database(), new Date(now + 7_000))).toBe(0);
    expect(await sendDueEmails(database(), new Date(now + 9_000))).toBe(1);
    expect(smtp.to(email.to)).toHaveLength(1);
  });

  test("waits longer after each failure and has failed after the seventh", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    smtp.answer(451);
    onTestFinished(() => smtp.answer(250));
    let now = soon();
    for (const minutes of [1, 5, 15, 60, 240, 720]) {
      expect(await sendDueEmails(database(), new Date(now))).toBe(1);
      expect(await sendDueEmails(database(), minutesFrom(now, minutes - 0.1))).toBe(0);
      now += minutes * 60_000;
    }
    expect(await rowOf(email.to)).toMatchObject({ failedAt: null, serverFailed: false });
    expect(await sendDueEmails(database(), new Date(now))).toBe(1);
    expect(await rowOf(email.to)).toMatchObject({
      attempts: 7,
      sentAt: null,
      failedAt: new Date(now),
      text: "",
    });
    expect(await sendDueEmails(database(), minutesFrom(now, 100_000))).toBe(0);
    expect(log.map(({ msg }) => msg)).toContain("an email could not be sent and was given up");
    expect(JSON.stringify(log)).not.toContain("x.example");
    expect(readCounter("email_attempts").get("failed")).toBe(8);
  });

  test("to an address that the server refuses for good has failed at once, the others are sent", async () => {
    const [bad, good] = [emailTo("gone@refused.example"), emailTo()];
    for (const email of [bad, good]) await sendEmail(database(), email);
    await sendDueEmails(database());
    expect(await rowOf(bad.to)).toMatchObject({ attempts: 1, sentAt: null, failedAt: expect.any(Date) });
    expect(smtp.to(good.to)).toHaveLength(1);
  });

  test("waits for a mail server that is away", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    closeTransport();
    Object.assign(env(), { SMTP_URL: "smtp://127.0.0.1:1" });
    onTestFinished(closeTransport);
    const now = soon();
    await sendDueEmails(database(), new Date(now));
    const postponed = { sentAt: null, failedAt: null, dueAt: minutesFrom(now, 1), serverFailed: true };
    expect(await rowOf(email.to)).toMatchObject(postponed);
    closeTransport();
    Object.assign(env(), { SMTP_URL: smtp.url });
    await sendDueEmails(database(), minutesFrom(now, 2));
    expect(smtp.to(email.to)).toHaveLength(1);
  });
});

describe("without a mail server", () => {
  beforeEach(() => {
    Object.assign(env(), { SMTP_URL: undefined, MAIL_FROM: undefined });
  });

  test("an email is written to the log, with its link, and forgotten", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    await sendDueEmails(database());
    expect(log).toMatchObject([
      { to: email.to, subject: "Hello", text: email.text.split("\n").filter(Boolean) },
    ]);
    expect(await rowOf(email.to)).toMatchObject({ text: "", sentAt: expect.any(Date) });
  });

  test("the mailbox is shut in production unless it is opened, and open in development", async () => {
    const email = emailTo();
    await sendEmail(database(), email);
    expect(mailboxEnabled()).toBe(false);
    await expect(listRecentEmails(database())).rejects.toMatchObject({ code: "NOT_FOUND" });
    Object.assign(env(), { NODE_ENV: "development" });
    expect(mailboxEnabled()).toBe(true);
    Object.assign(env(), { SMTP_URL: smtp.url });
    expect(mailboxEnabled()).toBe(false);
    Object.assign(env(), { NODE_ENV: "production", MAILBOX: "on" });
    await sendDueEmails(database());
    expect(await listRecentEmails(database())).toMatchObject([{ recipient: email.to, text: email.text }]);
  });
});

test("due emails are found by their index", async () => {
  const { rows } = await database().orm.execute<{ "QUERY PLAN": string }>(sql`explain select id from mails
    where sent_at is null and failed_at is null and due_at <= now() order by due_at limit 10`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("mails_due");
});
