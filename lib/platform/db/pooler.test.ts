import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { database, openDatabase } from "@/lib/platform/db/client";
import { completeEnv } from "@/lib/platform/env";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";
import { undoBatch } from "@/lib/program/codes/batch-state";
import { importCodes } from "@/lib/program/codes/import";
import { createKey } from "@/lib/tenants/api-keys/create";
import { rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";
import { makeTenant } from "@/lib/testing/tenant";

const WAYS = [
  ["behind a transaction-mode pooler", { sessions: false, size: 8 }],
  ["on a pool of one connection", { sessions: true, size: 1 }],
  ["on one connection behind a pooler", { sessions: false, size: 1 }],
] as const;

let own: TestDatabase;
beforeAll(async () => {
  own = await testDatabase();
  completeEnv({ LOG_LEVEL: "silent", DATABASE_URL: own.url });
});
afterAll(() => own.drop());

const all = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe.each(WAYS)("%s", (_, options) => {
  beforeAll(() => {
    forgetSingleton("database");
    singleton("database", () => openDatabase({ url: own.url, waitMs: 20_000, ...options }));
  });
  afterAll(() => database().close());

  test("64 requests of each kind at once are answered", async () => {
    const tenant = await makeTenant({ codes: 80 });
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("ann")).body;
    const referrers = await all(64, (index) => api.referrer(`user ${index % 8}`));
    expect(new Set(referrers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(referrers.map(({ body }) => body.referrer_id)).size).toBe(8);
    const redeems = await all(64, (index) => api.redeem(`referee ${index}`, metacode));
    expect(new Set(redeems.map(({ body }) => body.code)).size).toBe(64);
    await refer(tenant, metacode, 9);
    const claims = await all(64, () => api.claim("ann"));
    expect(claims.flatMap(({ body }) => body.claimed_rewards ?? [])).toHaveLength(3);
    expect(new Set(claims.map(({ status }) => status))).toEqual(new Set([200, 404]));
  });

  test("transactions need no second connection", async () => {
    const { ctx, pools } = await makeTenant();
    const { id } = await createKey(ctx, { name: "Phone" });
    await rotateKey(ctx, { keyId: id, grace: "now" });
    const source = Readable.from([Buffer.from("CODE000001\nCODE000002\n")]);
    const { batchId } = await importCodes(ctx, { poolId: pools.ios.referee, source, kind: "one_time" });
    expect(await undoBatch(ctx, batchId ?? "")).toMatchObject({ deleted: 2 });
  });

  test("statements are prepared under a name only on our own connections", async () => {
    const { key } = await makeTenant();
    const spy = vi.spyOn(pg.Client.prototype, "query");
    await clientOf(key).referrer("ann");
    const named = spy.mock.calls.filter(([query]) => (query as { name?: string }).name !== undefined);
    spy.mockRestore();
    expect(named.length > 0).toBe(options.sessions);
    const { rows } = await database().pool.query(
      "select application_name from pg_stat_activity where pid = pg_backend_pid()",
    );
    expect(rows).toEqual([{ application_name: "metacode" }]);
  });
});
