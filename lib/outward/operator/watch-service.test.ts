import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ServiceWatch } from "@/lib/outward/operator/watch-service";
import { databaseClock } from "@/lib/platform/db/chunks";
import { database, openDatabase } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { emails, rounds } from "@/lib/platform/db/schema";
import { closeTransport } from "@/lib/platform/email/transport";
import { env } from "@/lib/platform/env";
import { unreadableByTable } from "@/lib/platform/secrets/reseal";
import { takeDatabaseAway } from "@/lib/testing/database/outage";
import { temporaryFolder } from "@/lib/testing/folder";
import { useService } from "@/lib/testing/service";
import { startSmtp, type TestSmtp } from "@/lib/testing/smtp";

useService({ APP_URL: "https://metacode.example", NODE_ENV: "production" });

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: "Metacode <hello@metacode.example>" });
});
afterAll(async () => {
  closeTransport();
  await smtp.stop();
});

/** Two processes of a machine that has its own data folder and operator, and the emails to that operator. */
async function processes(name: string) {
  const OPERATOR_EMAIL = `${name}@example.com`;
  Object.assign(env(), { OPERATOR_EMAIL, DATA_DIR: await temporaryFolder() });
  let watches: ServiceWatch[] = [];
  const restart = () => {
    watches = [new ServiceWatch(database()), new ServiceWatch(database())];
  };
  restart();
  const check = async () => void (await Promise.all(watches.map((watch) => watch.check())));
  const texts = () => smtp.to(OPERATOR_EMAIL).map(({ raw }) => raw.replace(/=\r?\n/g, ""));
  return { check, restart, texts };
}

const setDue = (minutes: number) =>
  database().orm.execute(sql`
    insert into rounds (app_id, name, due_at) values (${NIL_ID}, 'changes', now() - make_interval(mins => ${minutes}))
    on conflict (app_id, name) do update set due_at = excluded.due_at`);

test("stuck work is one email for all processes, and another one when it happens again", async () => {
  const { check, texts } = await processes("work");
  await setDue(1);
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts()).toEqual([]);
  await setDue(11);
  for (let minute = 0; minute < 4; minute++) await check();
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain("round: changes, for 11 minutes");
  await setDue(0);
  await check();
  await setDue(12);
  await check();
  expect(texts()).toHaveLength(1);
  await check();
  expect(texts()).toHaveLength(2);
  await setDue(0);
});

test("an email by a clock that was days ahead and is right again keeps a later process from no email", async () => {
  const { check, restart, texts } = await processes("ahead");
  await setDue(11);
  for (let minute = 0; minute < 3; minute++) await check();
  const later = new Date(Date.now() + 3 * 86_400_000);
  const { DATA_DIR } = env();
  for (const file of await readdir(DATA_DIR)) await utimes(join(DATA_DIR, file), later, later);
  restart();
  for (let minute = 0; minute < 3; minute++) await check();
  await setDue(0);
  expect(texts()).toHaveLength(2);
});

test("late work that one process alone knows of, such as silent pages, is an email as well", async () => {
  const { texts } = await processes("alone");
  const silent = { name: "pages", seconds: 0, rows: 0, app: null };
  const watch = new ServiceWatch(database(), () => [silent]);
  for (const seconds of [0, 420, 480]) {
    silent.seconds = seconds;
    await watch.check();
  }
  expect(texts()).toEqual([expect.stringContaining("has stalled: pages, for 8 minutes")]);
});

test("a process that does not look at pages, or not for long, does not forget the email about them", async () => {
  const { texts } = await processes("pages");
  const watchOf = (seconds: number) =>
    new ServiceWatch(database(), () => [{ name: "pages", seconds, rows: 0, app: null }]);
  const notify = async () => {
    const watch = watchOf(420);
    for (let minute = 0; minute < 2; minute++) await watch.check();
  };
  await notify();
  for (const other of [new ServiceWatch(database()), watchOf(60)]) await other.check();
  await notify();
  expect(texts()).toHaveLength(1);
  await watchOf(0).check();
  await notify();
  expect(texts()).toHaveLength(2);
});

test("the email about a round that fails for one app names the app", async () => {
  const { check, texts } = await processes("failing");
  const values = { appId: uuidv7(), name: "inbox", failingSince: sql`now() - interval '6 minutes'` };
  await database().orm.insert(rounds).values(values);
  for (let minute = 0; minute < 2; minute++) await check();
  await database().orm.delete(rounds).where(eq(rounds.appId, values.appId));
  expect(texts()[0]).toContain(`failing rounds of app ${values.appId}, for 6 minutes`);
});

test("a restart forgets what is over, and another part at fault is another email", async () => {
  const { check, texts, restart } = await processes("restart");
  await setDue(11);
  for (let minute = 0; minute < 2; minute++) await check();
  expect(texts()).toHaveLength(1);
  await setDue(0);
  restart();
  await check();
  await setDue(12);
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts()).toHaveLength(2);
  const email = { recipient: "late@example.com", subject: "s", text: "t" };
  await database()
    .orm.insert(emails)
    .values({ ...email, id: uuidv7(), dueAt: sql`now() - interval '10 minutes'` });
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts()).toHaveLength(3);
  expect(texts()[2]).toContain("emails, for 10 minutes");
  await database().orm.delete(emails);
  await setDue(0);
});

test("a database that is away is one email, an outage of a moment none; a mail server that is away delays it", async () => {
  const { check, texts } = await processes("database");
  await check();
  const bringBack = await takeDatabaseAway();
  await check();
  expect(texts()).toEqual([]);
  smtp.answer(451);
  await expect(check()).rejects.toThrow();
  smtp.answer(250);
  await check();
  await check();
  await bringBack();
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain("The database is not responding");
  const fresh = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  await fresh.pool.query("select 1");
  await fresh.close();
});

test("a wrong clock and secrets that no key opens are named, each in an email of its own", async () => {
  const { check, texts } = await processes("clock");
  const right = { ...databaseClock() };
  const [base, machine] = [Date.now() - performance.now(), Date.now() - performance.now()];
  onTestFinished(() => {
    Object.assign(databaseClock(), right);
    unreadableByTable().clear();
  });
  Object.assign(databaseClock(), { base: base - 3_600_000, machine });
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts()).toEqual([expect.stringContaining("clocks of machine and database differ by 3600 s")]);
  Object.assign(databaseClock(), { base, machine });
  unreadableByTable().set("webhook_endpoints", 1).set("provider_connections", 2);
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts().slice(1)).toEqual([expect.stringContaining("No key opens 3 secrets in use")]);
});

test("a process that started after a notice about secrets or storage forgets it once it can tell that it is over", async () => {
  await processes("sealed");
  onTestFinished(() => unreadableByTable().clear());
  const notices = async () => (await readdir(env().DATA_DIR)).sort();
  const [secrets, storage] = ["operator-notified secrets", "operator-notified storage"];
  for (const name of [secrets, storage]) await writeFile(join(env().DATA_DIR, name), "");
  const watchOf = (writes: boolean) => new ServiceWatch(database(), undefined, writes);
  await watchOf(false).check();
  expect(await notices()).toEqual([secrets, storage]);
  unreadableByTable().set("webhook_endpoints", 0);
  await watchOf(false).check();
  expect(await notices()).toEqual([storage]);
  await watchOf(true).check();
  expect(await notices()).toEqual([]);
});

test("without an operator's address nothing is sent", async () => {
  const { check, texts } = await processes("none");
  Object.assign(env(), { OPERATOR_EMAIL: undefined });
  await setDue(11);
  for (let minute = 0; minute < 3; minute++) await check();
  expect(texts()).toEqual([]);
  await setDue(0);
});
