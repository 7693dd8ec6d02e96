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
import { database } from "@/lib/db/client";
import { mails } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { BATCH, deliverDue } from "@/lib/mail/deliver-due";
import { mailboxOpen, readMailbox } from "@/lib/mail/mailbox";
import { sendMail } from "@/lib/mail/send";
import { startSender } from "@/lib/mail/sender";
import { closeTransport } from "@/lib/mail/transport";
import { captureLog } from "@/lib/testing/redis-limits";
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
  await database().orm.delete(mails);
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

const mailTo = (to = `${uuidv7()}@example.com`) => ({
  to,
  subject: "Hello",
  text: "The link:\n\nhttps://x.example/y\n",
});
const rowOf = async (to: string) => {
  const [row] = await database().orm.select().from(mails).where(eq(mails.recipient, to));
  return row;
};
const minutesFrom = (now: number, minutes: number) => new Date(now + minutes * 60_000);

describe("a mail", () => {
  test("goes with what causes it, or not at all", async () => {
    const mail = mailTo();
    const undone = database().transaction(async (tx) => {
      await sendMail(tx, mail);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await rowOf(mail.to)).toBeUndefined();
  });

  test("reaches the mail server as it was written, and its text is forgotten", async () => {
    const mail = { ...mailTo(), subject: "Grüße an\r\nBcc: everyone@example.com" };
    await sendMail(database(), mail);
    expect(await deliverDue(database())).toBe(1);
    const [got] = smtp.to(mail.to);
    expect(got?.from).toBe("hello@metacode.example");
    expect(got?.recipients).toEqual([mail.to]);
    expect(got?.raw).toContain("From: Metacode <hello@metacode.example>");
    expect(got?.raw).toContain("https://x.example/y");
    const row = await rowOf(mail.to);
    expect(got?.raw).toContain(`Message-ID: <${row?.id}@metacode.example>`);
    expect(row).toMatchObject({ attempts: 1, text: "", subject: "Grüße an Bcc: everyone@example.com" });
    expect(row?.sentAt).toBeInstanceOf(Date);
    expect(await deliverDue(database())).toBe(0);
  });

  test("is sent once, however many processes send", async () => {
    const all = Array.from({ length: 2 * BATCH }, () => mailTo());
    for (const mail of all) await sendMail(database(), mail);
    const rounds = await Promise.all(Array.from({ length: 6 }, () => deliverDue(database())));
    expect(rounds.reduce((sum, taken) => sum + taken, 0)).toBe(all.length);
    expect(all.map(({ to }) => smtp.to(to).length)).toEqual(all.map(() => 1));
  });

  test("that another process is taking this moment is neither taken nor waited for", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    await database().transaction(async (taking) => {
      await taking.orm.select().from(mails).where(eq(mails.recipient, mail.to)).for("update");
      expect(await deliverDue(database())).toBe(0);
    });
    expect(await deliverDue(database())).toBe(1);
  });

  test("that a process took and died with is tried by another one, a quarter of an hour later", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    const now = Date.now();
    const never = () => new Promise<void>(() => undefined);
    void deliverDue(database(), new Date(now), never);
    await vi.waitFor(async () => expect((await rowOf(mail.to))?.attempts).toBe(1));
    expect(await deliverDue(database(), minutesFrom(now, 14))).toBe(0);
    expect(await deliverDue(database(), minutesFrom(now, 16))).toBe(1);
    expect(smtp.to(mail.to)).toHaveLength(1);
  });

  test("waits longer after each failure and is given up after the seventh", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    smtp.answer(451);
    onTestFinished(() => smtp.answer(250));
    let now = Date.now();
    for (const minutes of [1, 5, 15, 60, 240, 720]) {
      expect(await deliverDue(database(), new Date(now))).toBe(1);
      expect(await deliverDue(database(), minutesFrom(now, minutes - 0.1))).toBe(0);
      now += minutes * 60_000;
    }
    expect((await rowOf(mail.to))?.failedAt).toBeNull();
    expect(await deliverDue(database(), new Date(now))).toBe(1);
    expect(await rowOf(mail.to)).toMatchObject({
      attempts: 7,
      sentAt: null,
      failedAt: new Date(now),
      text: "",
    });
    expect(await deliverDue(database(), minutesFrom(now, 100_000))).toBe(0);
    expect(log.map(({ msg }) => msg)).toContain("a mail was given up");
    expect(JSON.stringify(log)).not.toContain("x.example");
  });

  test("to an address that the server refuses for good is given up at once, the others are sent", async () => {
    const [bad, good] = [mailTo("nobody@refused.example"), mailTo()];
    for (const mail of [bad, good]) await sendMail(database(), mail);
    await deliverDue(database());
    expect(await rowOf(bad.to)).toMatchObject({ attempts: 1, sentAt: null, failedAt: expect.any(Date) });
    expect(smtp.to(good.to)).toHaveLength(1);
  });

  test("waits for a mail server that is away", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    closeTransport();
    Object.assign(env(), { SMTP_URL: "smtp://127.0.0.1:1" });
    onTestFinished(closeTransport);
    const now = Date.now();
    await deliverDue(database(), new Date(now));
    expect(await rowOf(mail.to)).toMatchObject({ sentAt: null, failedAt: null, dueAt: minutesFrom(now, 1) });
    closeTransport();
    Object.assign(env(), { SMTP_URL: smtp.url });
    await deliverDue(database(), minutesFrom(now, 2));
    expect(smtp.to(mail.to)).toHaveLength(1);
  });
});

describe("without a mail server", () => {
  beforeEach(() => {
    Object.assign(env(), { SMTP_URL: undefined, MAIL_FROM: undefined });
  });

  test("a mail is written to the log, with its link, and forgotten", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    await deliverDue(database());
    expect(log).toMatchObject([{ to: mail.to, subject: "Hello", text: mail.text }]);
    expect(await rowOf(mail.to)).toMatchObject({ text: "", sentAt: expect.any(Date) });
  });

  test("the mailbox is shut in production unless it is opened, and open in development", async () => {
    const mail = mailTo();
    await sendMail(database(), mail);
    expect(mailboxOpen()).toBe(false);
    await expect(readMailbox(database())).rejects.toMatchObject({ code: "NOT_FOUND" });
    Object.assign(env(), { NODE_ENV: "development" });
    expect(mailboxOpen()).toBe(true);
    Object.assign(env(), { SMTP_URL: smtp.url });
    expect(mailboxOpen()).toBe(false);
    Object.assign(env(), { NODE_ENV: "production", MAILBOX: "on" });
    await deliverDue(database());
    expect(await readMailbox(database())).toMatchObject([{ recipient: mail.to, text: mail.text }]);
  });
});

describe("the sender", () => {
  test("goes on at once while there is more, waits after a failure, and ends with the mail on its way", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let finish: (taken: number) => void = () => undefined;
    const round = vi.fn(
      () =>
        new Promise<number>((resolve) => {
          finish = resolve;
        }),
    );
    const stop = startSender(round);
    await vi.advanceTimersByTimeAsync(1_000);
    finish(BATCH);
    await vi.advanceTimersByTimeAsync(0);
    expect(round).toHaveBeenCalledTimes(2);
    round.mockRejectedValueOnce(new Error("away"));
    finish(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(round).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(round).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(round).toHaveBeenCalledTimes(4);
    let stopped = false;
    const end = stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stopped).toBe(false);
    finish(BATCH);
    await end;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(round).toHaveBeenCalledTimes(4);
  });
});

test("what is due is found by its index", async () => {
  const { rows } = await database().orm.execute<{ "QUERY PLAN": string }>(sql`explain select id from mails
    where sent_at is null and failed_at is null and due_at <= now() order by due_at limit 10`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("mails_due");
});
