import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type RequestFilters, requestFilters } from "@/lib/contract/request-line";
import { listRequests, requestTotals } from "@/lib/outward/request-log/list";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { keyUsageDays, requestLog } from "@/lib/platform/db/schema";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();
afterEach(() => vi.useRealTimers());

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;
const OTHER_KEY = uuidv7();
const idAt = (age: number) => firstIdAt(new Date(NOW - age)).slice(0, 14) + uuidv7().slice(14);

/** The rows of the log: minutes ago, status, code, path. */
const HELD: [number, number, string | null, string][] = [
  [1, 200, null, "/api/referrer"],
  [5, 404, "METACODE_NOT_FOUND", "/api/referee-redeem"],
  [30, 503, "NO_CODES_AVAILABLE", "/api/referee-redeem"],
  [90, 200, null, "/api/webhooks"],
  [2_000, 409, "CONFLICT", "/api/webhooks/x/deliveries"],
];

let tenant: Tenant;
let ids: string[];

beforeAll(async () => {
  [tenant] = [await makeTenant(), await makeTenant()];
  ids = HELD.map(([age]) => idAt(age * MINUTE));
  const rows = HELD.map(([age, status, errorCode, path], index) => ({
    appId: tenant.ctx.app.id,
    id: ids[index] ?? "",
    keyId: index === 0 ? OTHER_KEY : uuidv7(),
    method: "POST",
    path,
    status,
    errorCode,
    micros: 1,
    createdAt: new Date(NOW - age * MINUTE),
  }));
  await database().orm.insert(requestLog).values(rows);
});

async function found(filters: Partial<Record<keyof RequestFilters, string>>): Promise<number[]> {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { data } = await listRequests(tenant.ctx, requestFilters.parse(filters));
  return data.map(({ id }) => ids.indexOf(id));
}

describe("the request log", () => {
  test.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ outcome: "answered" }, [0, 3]],
    [{ outcome: "refused" }, [1, 4]],
    [{ outcome: "failed" }, [2]],
    [{ code: "CONFLICT" }, [4]],
    [{ endpoint: "webhooks" }, [3, 4]],
    [{ endpoint: "referrer" }, [0]],
    [{ key: OTHER_KEY }, [0]],
    [{ time: "15m" }, [0, 1]],
    [{ time: "1h" }, [0, 1, 2]],
    [{ time: "24h" }, [0, 1, 2, 3]],
    [{ time: "2026-06-14" }, [4]],
    [{ time: "2026-06-14", outcome: "failed" }, []],
    [{ id: "no-uuid" }, []],
    [{ outcome: "strange", code: "x'; --", time: "yesterday", key: "1" }, [0, 1, 2, 3, 4]],
  ])("with %j", async (filters, expected) => {
    expect(await found(filters)).toEqual(expected);
  });

  test("finds a request by its id, also in quotation marks or in a response that was pasted whole", async () => {
    for (const id of [
      ids[1],
      `"${ids[1]}"`,
      `{"error":{"message":"${"x".repeat(99)}","request_id":"${ids[1]}"}}`,
    ])
      expect(await found({ id })).toEqual([1]);
  });

  test("finds a request by id, of this app only", async () => {
    expect(await found({ id: ` ${ids[2]} ` })).toEqual([2]);
    const other = await makeTenant();
    expect((await listRequests(other.ctx, requestFilters.parse({ id: ids[2] }))).data).toEqual([]);
    expect((await listRequests(other.ctx, {})).data).toEqual([]);
  });

  test("is walked page by page", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listRequests(tenant.ctx, requestFilters.parse({ cursor }), { limit: 2 });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(ids);
  });

  test("reads at most 10,000 rows per page, however rare the matches", async () => {
    const { ctx } = await makeTenant();
    await database().orm.execute(sql`insert into request_log
      select ${ctx.app.id}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, ${OTHER_KEY}, 'POST',
             '/api/referrer', case when n = 5 then 409 else 200 end, null, null, 1, now() from generate_series(1, 12000) n`);
    const first = await listRequests(ctx, { outcome: "refused" });
    expect([first.data.length, first.nextCursor]).toEqual([0, expect.any(String)]);
    const next = await listRequests(ctx, { outcome: "refused", cursor: first.nextCursor ?? "" });
    expect([next.data.length, next.nextCursor]).toEqual([1, null]);
  });
});

test("the totals are those of the stored days", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  const { ctx } = await makeTenant({ app: { requestLogDays: 3 } });
  const day = (name: string, requests: number, unlisted: number) => ({
    appId: ctx.app.id,
    keyId: uuidv7(),
    day: name,
    requests,
    refused: 0,
    failed: 0,
    unlisted,
  });
  await database()
    .orm.insert(keyUsageDays)
    .values([day("2026-06-11", 500, 50), day("2026-06-12", 30, 3), day("2026-06-15", 7, 1)]);
  expect(await requestTotals(ctx)).toEqual({
    days: 3,
    since: new Date("2026-06-12"),
    requests: 37,
    unlisted: 4,
  });
  expect(await requestTotals(tenant.ctx)).toEqual({
    days: 7,
    since: new Date("2026-06-08"),
    requests: 0,
    unlisted: 0,
  });
});
