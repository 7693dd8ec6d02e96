import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { log } from "@/lib/platform/log";
import { forgetSingleton } from "@/lib/platform/singleton";
import type { InboxRow } from "@/lib/program/confirmations/inbox-row";
import { listEvents } from "@/lib/program/confirmations/list";
import {
  drainSpool,
  MAX_SPOOLED,
  spoolBacklog,
  spoolDelivery,
  spoolFolder,
} from "@/lib/program/confirmations/spool";
import { blockedBackends } from "@/lib/testing/database/locks";
import { persistently } from "@/lib/testing/parallel";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { connectedApp } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";

const MANY = 150;
const HELD = 10;

let folder: string;
let server: Awaited<ReturnType<typeof startPostgres>>;

/** A separate server, which the tests stop and start. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inbox-outage-"));
  server = await startPostgres({ dataDir: join(folder, "postgres"), durable: false });
  Object.assign(process.env, { LOG_LEVEL: "silent", DATABASE_URL: server.url, DATA_DIR: folder });
  await migrate(server.url);
});

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  await database().close();
  forgetSingleton("database");
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function away<T>(work: () => Promise<T>): Promise<T> {
  await server.stop();
  try {
    return await work();
  } finally {
    const { port } = server;
    server = await startPostgres({ dataDir: join(folder, "postgres"), port, durable: false });
    expect(server.port).toBe(port);
  }
}

const purchase = (uid: string) =>
  recorded("initial_purchase", { id: `event of ${uid}`, app_user_id: uid, aliases: [] });

const files = () => readdirSync(spoolFolder()).filter((name) => !name.endsWith(".bad"));

const uids = (count: number) => Array.from({ length: count }, (_, n) => `person ${n}`);

/** Drains the spool once the pool has noticed that its connections ended. */
function drained(): Promise<number | undefined> {
  return persistently(
    () => drainSpool(database()).catch(() => undefined),
    (taken) => taken !== undefined,
  );
}

test("a delivery during an outage is 503, spooled, and applied once the database is back", async () => {
  const { app, send } = await connectedApp({ threshold: 2 });
  await app.assign("a", "b", "c");
  expect((await send(purchase("a"))).status).toBe(200);
  await away(async () => {
    // Long after the connection was last read.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    for (const uid of ["a", "b", "b", "c"]) expect((await send(purchase(uid))).status).toBe(503);
    expect((await send("{")).status).toBe(503);
    expect((await send(purchase("d"), { headers: { authorization: "wrong" } })).status).toBe(401);
    vi.useRealTimers();
    expect(files()).toHaveLength(4);
    const [first = ""] = files();
    expect(statSync(join(spoolFolder(), first)).mode & 0o77).toBe(0);
    expect(readFileSync(join(spoolFolder(), first), "utf8")).not.toContain("authorization");
  });
  expect(await drained()).toBe(4);
  expect(files()).toEqual([]);
  expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed", c: "redeemed" });
  expect(await app.counts()).toEqual({ confirmed: 3, earned: 1, rewards: 1 });
  const { data } = await listEvents(app.ctx);
  expect(data.map(({ verdict }) => verdict).sort()).toEqual([
    "confirmed",
    "confirmed",
    "confirmed",
    "unreadable",
  ]);
  expect((await send(purchase("b"))).body.status).toBe("duplicate");
});

test("deliveries that were set aside take no place of those that wait", async () => {
  const { app, send } = await connectedApp();
  await app.assign("a");
  await send({ event: { type: "TEST" } });
  mkdirSync(spoolFolder(), { recursive: true });
  const bad = Array.from({ length: MAX_SPOOLED }, (_, n) => join(spoolFolder(), `${n}.json.bad`));
  for (const file of bad) writeFileSync(file, "");
  await away(async () => {
    await send(purchase("a"));
    expect(files()).toHaveLength(1);
  });
  expect(await drained()).toBe(1);
  for (const file of bad) rmSync(file);
});

test("an app whose provider repeats its history during an outage leaves places for the events of others", async () => {
  mkdirSync(spoolFolder(), { recursive: true });
  onTestFinished(() => rmSync(spoolFolder(), { recursive: true }));
  const spool = (app: string, id: string) =>
    spoolDelivery(app, { id, connection_id: "c", event_id: id } as InboxRow);
  expect(await spool("busy", "first")).toBe(true);
  const [first = ""] = files();
  const fill = (from: number, to: number) => {
    for (let n = from; n < to; n++)
      writeFileSync(join(spoolFolder(), first.replace(/.{4}(?=\.json$)/, `${n}`.padStart(4, "_"))), "");
  };
  fill(1, (MAX_SPOOLED * 3) / 4 - 1);
  expect(await spool("busy", "last")).toBe(true);
  expect(await spool("busy", "next")).toBe(false);
  expect(await spool("quiet", "next")).toBe(true);
});

test("a delivery that was set aside stays reported on its machine until its file is gone, at most 30 days", async () => {
  mkdirSync(spoolFolder(), { recursive: true });
  const file = join(spoolFolder(), "broken.json");
  writeFileSync(file, "{");
  expect(await drained()).toBe(0);
  expect(files()).toEqual([]);
  expect(await spoolBacklog()).toMatchObject({ rows: 1, seconds: expect.any(Number) });
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  utimesSync(`${file}.bad`, daysAgo(29), daysAgo(29));
  await drained();
  expect(await spoolBacklog()).toMatchObject({ rows: 1 });
  utimesSync(`${file}.bad`, daysAgo(31), daysAgo(31));
  await drained();
  expect(await spoolBacklog()).toMatchObject({ rows: 0, seconds: 0 });
});

test("a spool that cannot be read fails its own round, and not the look at the backlogs", async () => {
  rmSync(spoolFolder(), { recursive: true, force: true });
  onTestFinished(() => rmSync(spoolFolder()));
  writeFileSync(spoolFolder(), "");
  await expect(drainSpool(database())).rejects.toMatchObject({ code: "ENOTDIR" });
  expect(await spoolBacklog()).toMatchObject({ rows: 0, seconds: 0 });
});

test("a draft is removed when it cannot become a delivery, and an hour after its process was killed", async () => {
  const names = { id: "of-this-test", connection_id: "c", event_id: "e" };
  const key = createHash("sha256").update("c\ne").digest("hex");
  // No file can take the place of a folder.
  const taken = join(spoolFolder(), `an app-${key}.json`);
  mkdirSync(taken, { recursive: true });
  await expect(spoolDelivery("an app", names as InboxRow)).rejects.toMatchObject({ code: "EISDIR" });
  expect(files()).toEqual([`an app-${key}.json`]);
  rmSync(taken, { recursive: true });
  for (const name of ["fresh.tmp", "left.tmp"]) writeFileSync(join(spoolFolder(), name), "{");
  const before = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(join(spoolFolder(), "left.tmp"), before, before);
  expect(await drained()).toBe(0);
  expect(files()).toEqual(["fresh.tmp"]);
  rmSync(join(spoolFolder(), "fresh.tmp"));
});

test("a delivery whose app was deleted meanwhile is dropped with a line in the log", async () => {
  const warn = vi.spyOn(log(), "warn");
  onTestFinished(() => warn.mockRestore());
  const appId = uuidv7();
  const spooled = { appId, row: { event_id: "the event", uids: [], links: [], created_at: "2026-11-22" } };
  mkdirSync(spoolFolder(), { recursive: true });
  writeFileSync(join(spoolFolder(), "dropped.json"), JSON.stringify(spooled));
  expect(await drained()).toBe(1);
  expect(files()).toEqual([]);
  const line = [{ app: appId, event: "the event" }, "a spooled delivery was dropped: its app was deleted"];
  expect(warn.mock.calls).toContainEqual(line);
});

test("deliveries wait while the database lets the service in no more, or one cannot be stored yet", async () => {
  const { app, send } = await connectedApp({ threshold: 5 });
  await app.assign("a", "b");
  await send({ event: { type: "TEST" } });
  await away(async () => expect((await send(purchase("a"))).status).toBe(503));
  const administrator = new pg.Client({ connectionString: server.url });
  administrator.on("error", () => undefined);
  onTestFinished(() => administrator.end());
  await administrator.connect();
  await administrator.query("alter role metacode nologin");
  await administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
  );
  await vi.waitFor(() => expect(database().pool.totalCount).toBe(0), 60_000);
  expect((await send(purchase("b"))).status).toBe(503);
  await expect(drainSpool(database())).rejects.toThrow();
  expect(files()).toHaveLength(2);
  await administrator.query("alter role metacode login");
  const row = "select 1 from referrals where app_id = $1 and referee_uid = 'a' for update";
  await administrator.query("begin");
  await administrator.query(row, [app.ctx.app.id]);
  await expect(drainSpool(database())).rejects.toThrow();
  expect(files()).toHaveLength(1);
  await administrator.query("rollback");
  expect(await drained()).toBe(1);
  expect(await app.counts()).toMatchObject({ confirmed: 2 });
});

test("a process that is killed while importing loses none and applies none twice", async () => {
  const { app, send } = await connectedApp({ threshold: 5 });
  await app.assign(...uids(MANY));
  await send({ event: { type: "TEST" } });
  await away(async () => {
    for (const uid of uids(MANY)) expect((await send(purchase(uid))).status).toBe(503);
  });
  writeFileSync(join(spoolFolder(), "broken.json"), "{");
  // However fast it is, the process waits at one of them.
  const drain = await bundleForChild("lib/testing/processes/drain.ts");
  const holder = await database().pool.connect();
  const held = "select 1 from referrals where app_id = $1 and referee_uid = any($2) for update";
  await holder.query("begin");
  await holder.query("set local idle_in_transaction_session_timeout = 0");
  await holder.query(held, [app.ctx.app.id, uids(HELD)]);
  const child = startChild(drain, [], { env: { ...process.env } });
  await blockedBackends();
  await child.kill();
  const left = files().length;
  expect(left).toBeGreaterThanOrEqual(HELD);
  await holder.query("rollback");
  holder.release();
  expect(await drained()).toBeGreaterThanOrEqual(left - 1);
  expect(files()).toEqual([]);
  expect(await app.counts()).toEqual({ confirmed: MANY, earned: MANY / 5, rewards: MANY / 5 });
  expect((await app.emitted())["referral.redeemed"]).toBe(MANY);
});
