import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { queuePost } from "@/lib/outward/problems/post";
import { database } from "@/lib/platform/db/client";
import { alertPosts, emails, rounds } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { env } from "@/lib/platform/env";
import { emitExample } from "@/lib/testing/events";
import { bundleForChild, type Child, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { startSmtp, type TestSmtp } from "@/lib/testing/smtp";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { startReceiver } from "@/lib/testing/webhooks/receiver";
import { deliveriesOf, makeReceiver } from "@/lib/testing/webhooks/webhooks";
import { startQueues } from "@/lib/web/background/rounds";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

/** Maximum seconds until the rows of a killed process can be taken again. */
const RESUMES_S = 10;

let file: string;
let smtp: TestSmtp;
beforeAll(async () => {
  file = await bundleForChild("lib/testing/processes/background.ts");
  smtp = await startSmtp();
  Object.assign(process.env, { SMTP_URL: smtp.url, MAIL_FROM: "hello@metacode.example" });
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: "hello@metacode.example" });
});
afterAll(() => smtp.stop());

/** Starts a second process that runs queues and rounds. */
function startWorker(): Child {
  const child = startChild(file, [], { env: process.env });
  onTestFinished(() => child.kill());
  return child;
}

/** Seconds until the selected rows can be taken, by the clock of the database. */
async function secondsLeft(select: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await database().orm.execute<{ left: number }>(
    sql`select extract(epoch from at - now())::float8 as left from (${select}) rows`,
  );
  return rows[0]?.left ?? Number.NaN;
}

const PATIENCE = { timeout: 60_000, interval: 100 };

test("messages of a process that was killed while it sent are sent by another one within seconds", async () => {
  const { ctx } = await makeTenant();
  const to = `${uuidv7()}@example.com`;
  const emailRow = async () => {
    const [email] = await database().orm.select().from(emails).where(eq(emails.recipient, to));
    return email;
  };
  smtp.answer(0);
  await sendEmail(database(), { to, subject: "Hello", text: "Hello" });

  let answers = false;
  const answer = () => (answers ? 204 : undefined);
  const receiver = await makeReceiver(ctx, { events: ["referral.redeemed"], answer });
  await emitExample(ctx.db, ctx.app.id, "referral.redeemed", { referral_id: uuidv7() });
  const delivery = async () => (await deliveriesOf(ctx))[0];

  const chat = await startReceiver();
  onTestFinished(() => chat.stop());
  chat.answer(() => undefined);
  const target = `${chat.url}/ops`;
  const channel = await createChannel(asTeamMember(ctx), { type: "slack", target, kinds: ["quota"] });
  const message = { title: "Low", detail: "Few codes are left", url: "https://metacode.example" };
  await queuePost(ctx.db, { appId: ctx.app.id, channelId: channel.id, message });
  const posts = () => database().orm.select().from(alertPosts).where(eq(alertPosts.appId, ctx.app.id));

  const worker = startWorker();
  await vi.waitFor(async () => {
    expect((await emailRow())?.attempts).toBe(1);
    expect((await delivery())?.leasedUntil).toBeInstanceOf(Date);
    expect(chat.got).toHaveLength(1);
  }, PATIENCE);
  await worker.kill();
  for (const due of [
    sql`select due_at as at from mails where recipient = ${to}`,
    sql`select leased_until as at from webhook_deliveries where app_id = ${ctx.app.id}`,
    sql`select due_at as at from alert_posts where app_id = ${ctx.app.id}`,
  ]) {
    expect(await secondsLeft(due)).toBeLessThan(RESUMES_S);
  }

  smtp.answer(250);
  answers = true;
  chat.answer((_, response) => void response.writeHead(200).end("ok"));
  onTestFinished(startQueues());
  await vi.waitFor(async () => {
    expect((await emailRow())?.sentAt).toBeInstanceOf(Date);
    expect((await delivery())?.status).toBe("delivered");
    expect(await posts()).toEqual([]);
  }, PATIENCE);
  expect(smtp.to(to)).toHaveLength(1);
  expect(receiver.accepted).toHaveLength(1);
  expect(chat.got).toHaveLength(2);
});

test("a round of a process that was killed while it ran is run by another one within seconds", async () => {
  const { ctx } = await makeTenant();
  const own = and(eq(rounds.appId, ctx.app.id), eq(rounds.name, "figures"));
  const round = async () => (await database().orm.select().from(rounds).where(own))[0];
  // The round waits for this lock while it holds its lease.
  const client = await database().pool.connect();
  await client.query("begin");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  await client.query("lock table rollup_cursors in access exclusive mode");
  // On a busy machine the round may have given up before the kill; then it is made due again.
  do {
    const due = { dueAt: sql`now()`, lease: null, leasedUntil: null };
    await database()
      .orm.insert(rounds)
      .values({ appId: ctx.app.id, name: "figures", ...due })
      .onConflictDoUpdate({ target: [rounds.appId, rounds.name], set: due });
    const worker = startWorker();
    await vi.waitFor(async () => expect((await round())?.lease).toEqual(expect.any(String)), PATIENCE);
    await worker.kill();
  } while (!(await round())?.lease);
  const lease = sql`select leased_until as at from rounds where app_id = ${ctx.app.id} and name = 'figures'`;
  expect(await secondsLeft(lease)).toBeLessThan(RESUMES_S);
  await client.query("rollback");
  client.release();
  expect((await round())?.seenAt).toBeNull();
  onTestFinished(startQueues());
  await vi.waitFor(async () => expect((await round())?.seenAt).toBeInstanceOf(Date), PATIENCE);
});
