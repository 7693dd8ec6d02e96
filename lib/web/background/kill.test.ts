import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { emails } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { env } from "@/lib/platform/env";
import { emitExample } from "@/lib/testing/events";
import { bundleForChild, type Child, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { startSmtp, type TestSmtp } from "@/lib/testing/smtp";
import { makeTenant } from "@/lib/testing/tenant";
import { deliveriesOf, makeReceiver } from "@/lib/testing/webhooks/webhooks";
import { startQueues } from "@/lib/web/background/queues";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

/** A killed process's rows come back within this many seconds. */
const RESUMES_S = 10;

let file: string;
let smtp: TestSmtp;
beforeAll(async () => {
  file = await bundleForChild("lib/testing/processes/queues.ts");
  smtp = await startSmtp();
  Object.assign(process.env, { SMTP_URL: smtp.url, MAIL_FROM: "hello@metacode.example" });
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: "hello@metacode.example" });
});
afterAll(() => smtp.stop());

/** A process that works off the queues, beside this one. */
function startWorker(): Child {
  const child = startChild(file, [], { env: process.env });
  onTestFinished(() => child.kill());
  return child;
}

/** Seconds until the rows of a statement may be taken, by the clock of the database. */
async function secondsLeft(select: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await database().orm.execute<{ left: number }>(
    sql`select extract(epoch from at - now())::float8 as left from (${select}) rows`,
  );
  return rows[0]?.left ?? Number.NaN;
}

const PATIENCE = { timeout: 60_000, interval: 100 };

test("an email of a process that was killed while it sent is sent by another one within seconds", async () => {
  const to = `${uuidv7()}@example.com`;
  const row = async () => {
    const [email] = await database().orm.select().from(emails).where(eq(emails.recipient, to));
    return email;
  };
  smtp.answer(0);
  await sendEmail(database(), { to, subject: "Hello", text: "Hello" });
  const worker = startWorker();
  await vi.waitFor(async () => expect((await row())?.attempts).toBe(1), PATIENCE);
  await worker.kill();
  expect(await secondsLeft(sql`select due_at as at from mails where recipient = ${to}`)).toBeLessThan(
    RESUMES_S,
  );
  smtp.answer(250);
  onTestFinished(startQueues());
  await vi.waitFor(async () => expect((await row())?.sentAt).toBeInstanceOf(Date), PATIENCE);
  expect(smtp.to(to)).toHaveLength(1);
});

test("a delivery of a process that was killed while it sent is sent by another one within seconds", async () => {
  const { ctx } = await makeTenant();
  let answers = false;
  const receiver = await makeReceiver(ctx, { answer: () => (answers ? 204 : undefined) });
  await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
  const worker = startWorker();
  const delivery = async () => (await deliveriesOf(ctx))[0];
  await vi.waitFor(async () => expect((await delivery())?.leasedUntil).toBeInstanceOf(Date), PATIENCE);
  await worker.kill();
  const lease = sql`select leased_until as at from webhook_deliveries where app_id = ${ctx.app.id}`;
  expect(await secondsLeft(lease)).toBeLessThan(RESUMES_S);
  answers = true;
  onTestFinished(startQueues());
  await vi.waitFor(async () => expect((await delivery())?.status).toBe("delivered"), PATIENCE);
  expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(1);
});
