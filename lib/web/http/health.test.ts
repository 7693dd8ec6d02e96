import { once } from "node:events";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { table } from "@/lib/cli/routes";
import { statement } from "@/lib/platform/db/calls";
import { database } from "@/lib/platform/db/client";
import { emails, webhookDeliveries } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { runQueue } from "@/lib/platform/jobs/queue";
import { forgetSingleton } from "@/lib/platform/singleton";
import { spoolFolder } from "@/lib/program/confirmations/spool";
import { statementsOf } from "@/lib/testing/database/statements";
import { temporaryFolder } from "@/lib/testing/folder";
import { ago, MINUTE } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { pagesBacklog } from "@/lib/web/http/health";
import { watchWarmth } from "@/lib/web/server/readiness";

useService();

const TOKEN = "a-token-of-the-operator";

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const match = table.find(path.split("?", 1)[0] ?? "");
  const request = new Request(`http://localhost:3000${path}`, { headers });
  const response = await match?.module.GET?.(request, { params: match.params });
  if (!response) throw new Error(`nothing answers ${path}`);
  return response;
}

const statuses = async () => {
  const answers = await Promise.all(["health", "ready", "live"].map((name) => get(`/api/${name}`)));
  return Promise.all(answers.map(async (answer) => [answer.status, (await answer.json()).status]));
};

const ALL_OK = [
  [200, "ok"],
  [200, "ok"],
  [200, "ok"],
];

const email = (dueAt: Date) => ({ id: uuidv7(), recipient: "a@example.com", subject: "s", text: "t", dueAt });
const delivery = (wakeAt: Date) =>
  ({
    appId: uuidv7(),
    id: uuidv7(),
    endpointId: uuidv7(),
    eventId: uuidv7(),
    eventType: "T",
    status: "pending",
    wakeAt,
  }) as const;

beforeEach(async () => void Object.assign(env(), { DATA_DIR: await temporaryFolder() }));

afterEach(async () => {
  vi.restoreAllMocks();
  forgetSingleton("db.last-refusal");
  await database().orm.delete(emails);
  await database().orm.delete(webhookDeliveries);
  Object.assign(env(), { METRICS_TOKEN: undefined });
});

test("work that is due for more than a minute degrades the health, and nothing else", async () => {
  expect(await statuses()).toEqual(ALL_OK);
  await database()
    .orm.insert(emails)
    .values(email(ago(30_000)));
  expect(await statuses()).toEqual(ALL_OK);
  await database()
    .orm.insert(webhookDeliveries)
    .values(delivery(ago(5 * MINUTE)));
  const answer = await get("/api/health");
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: "degraded", late: [{ name: "webhooks", seconds: expect.closeTo(300, -2) }] },
  ]);
  expect((await statuses()).slice(1)).toEqual(ALL_OK.slice(1));
});

test("a long backlog of an endpoint to which a process is sending does not count as late", async () => {
  const row = delivery(ago(5 * MINUTE));
  const held = { ...row, id: uuidv7(), leasedUntil: new Date(Date.now() + MINUTE), wakeAt: null };
  await database().orm.insert(webhookDeliveries).values([row, held]);
  expect(await statuses()).toEqual(ALL_OK);
  await database()
    .orm.update(webhookDeliveries)
    .set({ leasedUntil: ago(1_000) });
  expect((await statuses())[0]).toEqual([200, "degraded"]);
});

test("provider events that are stuck in the folder of this machine degrade the health and are a metric", async () => {
  Object.assign(env(), { METRICS_TOKEN: TOKEN });
  expect((await statuses())[0]).toEqual([200, "ok"]);
  await mkdir(spoolFolder());
  const file = join(spoolFolder(), "event.json");
  await writeFile(file, "{}");
  expect((await statuses())[0]).toEqual([200, "ok"]);
  await utimes(file, ago(5 * MINUTE), ago(5 * MINUTE));
  expect(await (await get("/api/health")).json()).toEqual({
    status: "degraded",
    late: [{ name: "spooled events", seconds: expect.closeTo(300, -2) }],
  });
  const metrics = await (await get("/api/metrics", { authorization: `Bearer ${TOKEN}` })).text();
  expect(metrics).toMatch(/oldest_due_seconds\{queue="spooled events"\} 3\d\d/);
  expect(metrics).toMatch(/due_rows\{queue="spooled events"\} 1$/m);
});

test("pages that are not answered for a minute degrade the health, and not readiness", async () => {
  let status = 204;
  const pages = createServer((_, response) => void response.writeHead(status).end()).listen(0, "127.0.0.1");
  await once(pages, "listening");
  const looks = new AbortController();
  onTestFinished(() => looks.abort());
  const port = String((pages.address() as AddressInfo).port);
  const isReady = watchWarmth(port, { lookEvery: 1_000, signal: looks.signal });
  await vi.waitFor(() => expect(isReady()).toBe(true), 60_000);
  status = 503;
  await vi.waitFor(() => expect(pagesBacklog()[0]?.seconds).toBeGreaterThan(0), 60_000);
  expect(await statuses()).toEqual(ALL_OK);
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 61_000);
  expect(await (await get("/api/health")).json()).toMatchObject({
    status: "degraded",
    late: [{ name: "pages" }],
  });
  Object.assign(env(), { METRICS_TOKEN: TOKEN });
  const metrics = await get("/api/metrics", { authorization: `Bearer ${TOKEN}` });
  expect(await metrics.text()).toMatch(/oldest_due_seconds\{queue="pages"\} (?:[6-9]\d|\d{3})/);
  expect([isReady(), (await statuses())[1]]).toEqual([true, [200, "ok"]]);
  looks.abort();
  forgetSingleton("pages.away");
  pages.close();
});

test("pages that never answered are late work from the start, and readiness waits for the first answer alone", async () => {
  let status = 503;
  const pages = createServer((_, response) => void response.writeHead(status).end()).listen(0, "127.0.0.1");
  await once(pages, "listening");
  const looks = new AbortController();
  onTestFinished(() => {
    looks.abort();
    forgetSingleton("pages.away");
    pages.close();
  });
  const port = String((pages.address() as AddressInfo).port);
  // Nothing is known yet, as in the pages process itself, which must not report its pages as answered.
  expect(pagesBacklog()).toEqual([]);
  const isReady = watchWarmth(port, { lookEvery: 1_000, signal: looks.signal });
  expect(watchWarmth(port, { warm: true, signal: AbortSignal.abort() })()).toBe(true);
  await vi.waitFor(() => expect(pagesBacklog()[0]?.seconds).toBeGreaterThan(0), 60_000);
  expect(isReady()).toBe(false);
  status = 204;
  await vi.waitFor(() => expect(isReady()).toBe(true), 60_000);
  expect(pagesBacklog()[0]?.seconds).toBe(0);
});

test("however many ask for health and readiness at once, each is read once", async () => {
  const ask = () => Promise.all(Array.from({ length: 20 }, () => statuses()));
  const statements = await statementsOf(async () => expect(await ask()).toEqual(Array(20).fill(ALL_OK)));
  expect(statements.filter((text) => text === "select 1")).toHaveLength(1);
  expect(statements.length).toBeLessThan(20);
});

const DISK_FULL = { status: "degraded", late: [], database: "refuses writes: its disk is full" };

test.each([
  ["disk", "53100", "No space left on device"],
  // PostgreSQL has no SQLSTATE for an exceeded quota.
  ["quota", "XX000", "Disk quota exceeded"],
])(
  "a full %s of the database degrades the health, until half a minute after the last refusal",
  async (of, code, text) => {
    const fail = `begin raise exception using errcode = '${code}', message = 'could not extend file: ${text}'; end`;
    await database().pool.query(
      `create function fill_${of}() returns void language plpgsql as $$ ${fail} $$`,
    );
    const store = statement(`fill_${of}`, sql.raw(`select fill_${of}()`));
    await expect(database().call(store, null)).rejects.toMatchObject({ code });
    expect(await (await get("/api/health")).json()).toEqual(DISK_FULL);
    expect((await statuses()).slice(1)).toEqual(ALL_OK.slice(1));
    const now = performance.now();
    const later = vi.spyOn(performance, "now").mockImplementation(() => now + 31_000);
    expect(await statuses()).toEqual(ALL_OK);
    later.mockRestore();
  },
);

test("a queue that cannot take its rows because the database is read-only degrades the health", async () => {
  const take = () =>
    database().transaction(async (db) => {
      await db.orm.execute(sql`set transaction read only`);
      await db.orm.execute(sql`update mails set attempts = 0`);
      return [];
    });
  const queue = { name: "read-only", due: sql`select`, take, extend: take, lease: 1, concurrency: 1 };
  onTestFinished(runQueue({ ...queue, work: async () => undefined }));
  await vi.waitFor(
    async () => {
      const answer = await (await get("/api/health")).json();
      expect(answer).toMatchObject({ status: "degraded", database: "refuses writes: it is read-only" });
    },
    { timeout: 60_000 },
  );
});

test("readiness needs the database, unless the balancer asks to ignore it", async () => {
  const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  vi.spyOn(database().pool, "query").mockImplementation(() => Promise.reject(away));
  expect((await get("/api/ready")).status).toBe(503);
  expect((await get("/api/ready?database=ignore")).status).toBe(200);
});

test("without a token the metrics are an unknown path", async () => {
  expect((await get("/api/metrics")).status).toBe(404);
  expect((await get("/api/metrics", { authorization: "Bearer undefined" })).status).toBe(404);
});

test("the metrics need the operator's token", async () => {
  Object.assign(env(), { METRICS_TOKEN: TOKEN });
  for (const authorization of ["", "Bearer", `Bearer ${TOKEN}x`, TOKEN]) {
    expect((await get("/api/metrics", { authorization })).status).toBe(401);
  }
});

test("the metrics show the oldest due row of each queue, their number, and the process", async () => {
  Object.assign(env(), { METRICS_TOKEN: TOKEN });
  const value = async (name: string) => {
    const answer = await get("/api/metrics", { authorization: `Bearer ${TOKEN}` });
    expect(answer.headers.get("content-type")).toContain("text/plain");
    const line = (await answer.text()).split("\n").find((text) => text.startsWith(name));
    return Number(line?.split(" ").at(-1));
  };
  expect(await value('metacode_due_rows{queue="emails"')).toBe(0);
  await database()
    .orm.insert(emails)
    .values([email(ago(20 * MINUTE)), email(ago(MINUTE)), email(new Date(Date.now() + MINUTE))]);
  expect(await value('metacode_due_rows{queue="emails"')).toBe(2);
  expect(await value('metacode_oldest_due_seconds{queue="emails"')).toBeGreaterThanOrEqual(1_200);
  expect(await value('metacode_oldest_due_seconds{queue="webhooks"')).toBe(0);
  expect(await value("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
});
