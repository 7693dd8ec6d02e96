import cluster from "node:cluster";
import { readFileSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { table } from "@/lib/cli/routes";
import { collectMetrics, collectProcesses } from "@/lib/outward/metrics/registry";
import { type Db, database } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { ERROR_STATUS } from "@/lib/platform/errors";
import { Outage } from "@/lib/platform/limits/outage";
import { forgetSingleton } from "@/lib/platform/singleton";
import { setAside } from "@/lib/program/line/line";
import { deleteApp } from "@/lib/tenants/apps/delete";
import { clientOf } from "@/lib/testing/client";
import { rollUpNow } from "@/lib/testing/daily-figures";
import { openPage } from "@/lib/testing/landing";
import { redeemingTenant } from "@/lib/testing/redeems";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, makeTenant } from "@/lib/testing/tenant";

useService();

beforeAll(() => void Object.assign(env(), { METRICS_TOKEN: "a-token-of-the-operator" }));

/** The values of a metric by its labels, without the process. */
async function read(name: string): Promise<Record<string, number>> {
  forgetSingleton("metrics.stock");
  const { text } = await collectMetrics(database());
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = "", value] = /\{(.*)\} (\S+)$/.exec(line) ?? [];
      const own = labels.split(",").filter((label) => !label.startsWith("process="));
      return [own.join(","), Number(value)];
    }),
  );
}

async function answer(path: string, key: string): Promise<number> {
  const match = table.find(path);
  const request = new Request(`http://localhost:3000${path}`, { headers: { "x-api-key": key } });
  return (await match?.module.GET?.(request, { params: match.params, route: match.path ?? "" }))?.status ?? 0;
}

test("requests are counted by the path as it is mounted, their errors by code, their statements by function", async () => {
  const { key } = await makeTenant();
  const before = (await read("metacode_statements_total"))['function="get_referrer"'] ?? 0;
  expect(await answer("/api/webhooks", key)).toBe(200);
  expect(await answer("/api/webhooks", "mk_wrong")).toBe(401);
  const requests = await read("metacode_request_seconds_count");
  expect(requests['route="/api/webhooks",method="GET",status="200"']).toBe(1);
  expect(requests['route="/api/webhooks",method="GET",status="401"']).toBe(1);
  expect((await read("metacode_errors_total"))['route="/api/webhooks",code="UNAUTHORIZED"']).toBe(1);
  await clientOf(key).referrer("ann");
  const statements = await read("metacode_statements_total");
  expect(Object.values(statements).reduce((sum, value) => sum + value, 0)).toBeGreaterThan(before);
  expect(statements['function="create_referrer"'] ?? statements['function="get_referrer"']).toBeGreaterThan(
    0,
  );
});

test("landing pages are counted together, whatever their links, and their failures are the service's", async () => {
  await openPage("nobody22");
  await openPage("nobody33");
  vi.spyOn(database(), "call").mockRejectedValueOnce(new Error("no such function"));
  await openPage("nobody44");
  const pages = await read("metacode_request_seconds_count");
  expect(
    Object.keys(pages)
      .filter((labels) => labels.includes("/r/"))
      .sort(),
  ).toEqual(['route="/r/[slug]",method="GET",status="404"', 'route="/r/[slug]",method="GET",status="503"']);
  const errors = await read("metacode_errors_total");
  expect(errors['route="/r/[slug]",code="METACODE_NOT_FOUND"']).toBe(2);
  expect(errors['route="/r/[slug]",code="SERVICE_UNAVAILABLE"']).toBe(1);
});

test("pools and their free codes are counted by state", async () => {
  const before = [await read("metacode_pools"), await read("metacode_free_codes")];
  const { ctx } = await makeTenant({ codes: 7 });
  await makePool(ctx, "ios", "referee", 0);
  const [pools, codes] = [await read("metacode_pools"), await read("metacode_free_codes")];
  const more = (now: Record<string, number>, then: Record<string, number> = {}, state = "") =>
    (now[`state="${state}"`] ?? 0) - (then[`state="${state}"`] ?? 0);
  expect(more(pools, before[0], "filled")).toBe(4);
  expect(more(pools, before[0], "empty")).toBe(1);
  expect(more(codes, before[1], "filled")).toBe(28);
});

test("a pool is empty once its last code is assigned, whether or not a redeem was refused", async () => {
  const before = await read("metacode_pools");
  const { tenant, redeem } = await redeemingTenant({ codes: 1 });
  await redeem({ refereeUid: "bob" });
  await rollUpNow(tenant.ctx.app.id);
  expect((await read("metacode_pools"))['state="empty"']).toBe((before['state="empty"'] ?? 0) + 1);
});

test("a code that is set aside is not free, and pools of a deleted app are not counted", async () => {
  const states = async () => [await read("metacode_pools"), await read("metacode_free_codes")];
  const before = await states();
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  expect((await api.redeem("ada", metacode)).status).toBe(503);
  const free = async () => {
    const codes = await read("metacode_free_codes");
    return Object.values(codes).reduce((sum, count) => sum + count, 0);
  };
  const without = await free();
  await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 3 });
  expect(await free()).toBe(without + 3);
  expect(await setAside(tenant.ctx, tenant.pools.ios.referee)).toBe(1);
  expect(await free()).toBe(without + 2);
  await deleteApp(tenant.ctx);
  expect(await states()).toEqual(before);
});

test("limits that a process counts alone are counted, and the store's return is seen", async () => {
  let away = true;
  let now = 0;
  const store = async () => {
    if (away) throw new Error("away");
    return "answer";
  };
  const outage = new Outage(store, () => now, 1_000);
  expect(await read("metacode_limiter_down")).toEqual({ "": 0 });
  const before = (await read("metacode_limiter_fallbacks_total"))[""] ?? 0;
  for (let check = 0; check < 3; check++) expect(await outage.attempt(store, "fallback")).toBe("fallback");
  expect(await read("metacode_limiter_down")).toEqual({ "": 1 });
  expect(await read("metacode_limiter_fallbacks_total")).toEqual({ "": before + 3 });
  away = false;
  now += 60_000;
  await outage.attempt(store, "fallback");
  await expect.poll(() => read("metacode_limiter_down")).toEqual({ "": 0 });
});

test("a process that cannot reach the others still answers with its own figures", async () => {
  onTestFinished(() => void Object.assign(cluster, { isWorker: false }));
  Object.assign(cluster, { isWorker: true });
  vi.spyOn(process, "send").mockImplementationOnce(() => {
    throw new Error("channel closed");
  });
  expect(await collectProcesses(async () => "own")).toEqual(["own"]);
});

test("while the database is away, or does not answer, the metrics say so and still have the figures that need none", async () => {
  await read("metacode_pools");
  for (const answer of [() => Promise.reject(new Error("away")), () => new Promise<never>(() => undefined)]) {
    forgetSingleton("metrics.stock");
    const away = { ...database(), call: answer, orm: { execute: answer } } as unknown as Db;
    const { text } = await collectMetrics(away);
    expect(text).toContain("metacode_database_up 0");
    expect(text).toContain("process_resident_memory_bytes{");
    expect(text).not.toMatch(/^metacode_(pools|free_codes|due_rows|oldest_due_seconds)\{/m);
  }
  forgetSingleton("metrics.stock");
  expect((await collectMetrics(database())).text).toMatch(/metacode_database_up 1\n.*metacode_due_rows\{/s);
});

/** Every name that the exposition offers to a query, with the series of a histogram. */
async function exposedNames(): Promise<Set<string>> {
  const { text } = await collectMetrics(database());
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? ["_bucket", "_count", "_sum"].map((part) => name + part) : [name],
    ),
  );
}

test.each(["grafana.json", "alerts.yml"])("every metric that %s names exists", async (file) => {
  const text = readFileSync(`deploy/monitoring/${file}`, "utf8");
  const named = new Set(text.match(/\b(?:metacode|process|nodejs)_\w+/g));
  const exposed = await exposedNames();
  expect(named.size).toBeGreaterThan(6);
  expect([...named].filter((name) => !exposed.has(name))).toEqual([]);
  if (file.endsWith(".json")) expect(JSON.parse(text).panels.length).toBeGreaterThan(10);
});

test("the alert about errors counts the service's faults, and not an app's empty pool", () => {
  const alerts = readFileSync("deploy/monitoring/alerts.yml", "utf8");
  const [, codes = ""] = /metacode_errors_total\{code=~"([A-Z_|]+)"/.exec(alerts) ?? [];
  const faults = Object.entries(ERROR_STATUS).filter(([, status]) => status >= 500);
  expect([...codes.split("|"), "NO_CODES_AVAILABLE"].sort()).toEqual(faults.map(([code]) => code).sort());
  expect(alerts).not.toContain('status=~"5');
});

test("the alert about errors compares with requests of callers, and not with landing pages, balancers, probes and Prometheus", () => {
  const [, rule = ""] =
    /alert: MetacodeErrors\n.*?expr: ([^\n]*)/s.exec(readFileSync("deploy/monitoring/alerts.yml", "utf8")) ??
    [];
  const excluded = [...rule.matchAll(/route!~"([^"]+)"/g)].map(
    ([, routes = ""]) => new RegExp(`^(?:${routes})$`),
  );
  expect(excluded).toHaveLength(2);
  const mounted = [...readFileSync("lib/cli/routes.ts", "utf8").matchAll(/path: "([^"]+)"/g)];
  const paths = mounted.map(([, path = ""]) => path);
  for (const routes of excluded)
    expect(paths.filter((path) => routes.test(path)).sort()).toEqual([
      ...["health", "live", "metrics", "ready"].map((name) => `/api/${name}`),
      ...["", "/click", "/image/[file]"].map((name) => `/r/[slug]${name}`),
    ]);
});

test("pages that are not answered are a metric, also while the database is away", async () => {
  const own = [{ name: "pages", seconds: 300, rows: 0, app: null }];
  const away = { ...database(), call: () => Promise.reject(new Error("away")) };
  for (const db of [database(), away])
    expect((await collectMetrics(db, own)).text).toContain('metacode_oldest_due_seconds{queue="pages"} 300');
});

test("the guide describes every metric of the service", async () => {
  const guide = readFileSync("docs/guides/self-hosting.md", "utf8");
  const own = [...(await exposedNames())].filter((name) => name.startsWith("metacode_"));
  const described = (name: string) => guide.includes(name.replace(/_(bucket|count|sum)$/, ""));
  expect(own.filter((name) => !described(name))).toEqual([]);
});
