import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { PHONE_SCOPES, READ_ONLY_SCOPES, SCOPES, type Scope } from "@/lib/contract/api-key";
import { type Db, database, openDatabase } from "@/lib/platform/db/client";
import { apiKeys, workspaces } from "@/lib/platform/db/schema";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { later, usePassingTime } from "@/lib/testing/clock";
import { statementsOf } from "@/lib/testing/database/statements";
import { anotherProcess } from "@/lib/testing/processes/singletons";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { createKey } from "./create";
import { revokeKey, rotateKey } from "./lifecycle";
import { listKeys } from "./list";
import { enableSimulatorKey } from "./simulator-key";
import { generateKeyText } from "./text";
import { flushUses } from "./uses";
import { forgetKey, keyCache, verifyKey } from "./verify";

useService({ IP_REQUESTS_PER_MINUTE: "1000000" });

const use = (key: string): Promise<ApiReply> => clientOf(key).referrer("ann");
const status = async (key: string) => (await use(key)).status;
const inTime = usePassingTime();

async function tenantWithKey(
  plan: "free" | "pro" = "pro",
): Promise<{ tenant: Tenant; id: string; key: string }> {
  const tenant = await makeTenant({ plan });
  return { tenant, ...(await createKey(tenant.ctx, { name: "Phone" })) };
}

describe("a revoked key", () => {
  test("is refused from the next request on, with the message of an unknown one", async () => {
    const { tenant, id, key } = await tenantWithKey();
    expect(await status(key)).toBe(200);
    await revokeKey(tenant.ctx, { keyId: id });
    const [revoked, unknown] = [await use(key), await use(generateKeyText(false))];
    expect([revoked.status, revoked.body.error.message]).toEqual([401, unknown.body.error.message]);
    await expect(revokeKey(tenant.ctx, { keyId: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("is refused by another instance 5 seconds later at the latest", async () => {
    const { tenant, id, key } = await tenantWithKey();
    const other = anotherProcess();
    const db = database();
    const verify = () => other(() => verifyKey(db, key));
    expect(await verify()).toBeDefined();
    await revokeKey(tenant.ctx, { keyId: id });
    expect(await verify()).toBeDefined();
    inTime(5_000);
    expect(await verify()).toBeUndefined();
  });

  test("is not brought back by a look-up that was under way", async () => {
    const { tenant, id, key } = await tenantWithKey();
    const stale = await verifyKey(tenant.ctx.db, key);
    const early = keyCache().get("hash", async () => stale);
    await forgetKey(id);
    expect(await early).toBe(stale);
    expect(await keyCache().get("hash", async () => undefined)).toBeUndefined();
  });
});

describe("a rotated key", () => {
  test.each([
    ["now", 0],
    ["1h", 3_600],
    ["24h", 86_400],
    ["7d", 604_800],
  ] as const)("works for its grace period: %s", async (grace, seconds) => {
    const { tenant, id, key } = await tenantWithKey();
    const { ctx } = tenant;
    const next = await rotateKey(ctx, { keyId: id, grace });
    expect(await status(next.key)).toBe(200);
    const wait = async (waited: number) => {
      const expiresAt = later(apiKeys.expiresAt, -waited);
      await ctx.db.orm.update(apiKeys).set({ expiresAt }).where(eq(apiKeys.id, id));
      // The cached record expires.
      inTime(5_000);
    };
    const states = async () =>
      (await listKeys(ctx)).flatMap((row) => (row.name === "Phone" ? row.state : []));
    if (seconds > 0) {
      await wait(seconds - 1_000);
      expect([await status(key), await states()]).toEqual([200, ["active", "expiring"]]);
      await wait(1_000);
    }
    expect([await status(key), await states()]).toEqual([401, ["active", "expired"]]);
    expect(await status(next.key)).toBe(200);
  });

  test.each([-7_200_000, 7_200_000])(
    "ends by the database's clock, %s ms beside that of a process",
    async (beside) => {
      const { tenant, id, key } = await tenantWithKey();
      const { ctx } = tenant;
      await rotateKey(ctx, { keyId: id, grace: "1h" });
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + beside });
      const state = async () => (await listKeys(ctx)).find((row) => row.id === id)?.state;
      expect([await status(key), await state()]).toEqual([200, "expiring"]);
      const expiresAt = later(apiKeys.expiresAt, -3_600);
      await ctx.db.orm.update(apiKeys).set({ expiresAt }).where(eq(apiKeys.id, id));
      await forgetKey(id);
      expect([await status(key), await state()]).toEqual([401, "expired"]);
    },
  );

  test("keeps name and scopes, and cannot be rotated twice", async () => {
    const { tenant } = await tenantWithKey();
    const scopes: Scope[] = ["referee:redeem"];
    const { id } = await createKey(tenant.ctx, { name: "Narrow", scopes });
    const twice = await Promise.allSettled([
      rotateKey(tenant.ctx, { keyId: id, grace: "1h" }),
      rotateKey(tenant.ctx, { keyId: id, grace: "1h" }),
    ]);
    expect(twice.map((key) => key.status).sort()).toEqual(["fulfilled", "rejected"]);
    const narrow = (await listKeys(tenant.ctx)).filter(({ name }) => name === "Narrow");
    expect(narrow.map((key) => [key.scopes, key.state])).toEqual([
      [scopes, "active"],
      [scopes, "expiring"],
    ]);
  });
});

describe("scopes of its own", () => {
  const narrow: Scope[][] = [["referee:redeem"], [...READ_ONLY_SCOPES], new Array(5).fill("referrer:read")];

  test.each(["free", "basic"] as const)("no key of the %s plan has", async (plan) => {
    const { ctx } = await makeTenant({ plan });
    for (const scopes of narrow) {
      await expect(createKey(ctx, { name: "x", scopes })).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect((await createKey(ctx, { name: "x", scopes: [...SCOPES] })).key).toMatch(/^mc_live_/);
    expect((await createKey(ctx, { name: "x" })).key).toMatch(/^mc_live_/);
    const { key } = await createKey(ctx, { name: "Phone app", scopes: [...PHONE_SCOPES] });
    expect(await status(key)).toBe(200);
    expect((await clientOf(key).claim("ann")).status).toBe(403);
  });

  test("a key of the Pro and Enterprise plans may have", async () => {
    const { ctx } = await makeTenant({ plan: "pro" });
    for (const scopes of narrow) await createKey(ctx, { name: "x", scopes });
    await ctx.db.orm
      .update(workspaces)
      .set({ plan: "enterprise" })
      .where(eq(workspaces.id, ctx.workspace.id));
    await createKey(ctx, { name: "x", scopes: ["referee:redeem"] });
    await expect(createKey(ctx, { name: "x", scopes: [] })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "scopes",
      message: "Choose at least one scope",
    });
    await expect(createKey(ctx, { name: " " })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "name",
      message: expect.stringContaining("name"),
    });
  });
});

describe("the use of a key", () => {
  test("is looked up once, and written down apart from requests", async () => {
    const { tenant, id, key } = await tenantWithKey();
    await use(key);
    const statements = await statementsOf(() => use(key));
    expect(statements.filter((text) => /api_key/.test(text))).toEqual([]);
    const used = async () => (await listKeys(tenant.ctx)).find((row) => row.id === id)?.lastUsedAt;
    expect(await used()).toBeNull();
    await flushUses(tenant.ctx.db);
    expect((await used())?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("is written after an outage of the database, the newest use only", async () => {
    const { tenant, id, key } = await tenantWithKey();
    const used = async () => (await listKeys(tenant.ctx)).find((row) => row.id === id)?.lastUsedAt;
    const away = openDatabase({ url: "postgres://unknown@127.0.0.1:1/nothing" });
    await use(key);
    await expect(flushUses(away)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const first = Date.now();
    const call: Db["call"] = async (...args) => {
      inTime(5_000);
      await use(key);
      return away.call(...args);
    };
    await expect(flushUses({ ...away, call })).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await flushUses(tenant.ctx.db);
    expect((await used())?.getTime()).toBeGreaterThanOrEqual(first + 5_000);
  });

  test("many made-up keys at once are looked up together, and a valid one among them is found", async () => {
    const { tenant, id, key } = await tenantWithKey();
    const texts = [...Array.from({ length: 299 }, () => generateKeyText(false)), key];
    let found: unknown[] = [];
    const statements = await statementsOf(async () => {
      found = await Promise.all(texts.map((text) => verifyKey(tenant.ctx.db, text)));
    });
    expect(statements.length).toBeLessThan(5);
    expect(found.slice(0, -1).filter(Boolean)).toEqual([]);
    expect(found.at(-1)).toMatchObject({ id });
  });

  test("junk is refused without asking the database", async () => {
    const key = generateKeyText(false);
    const junk = ["", "x", key.slice(1), `${key} `.repeat(3), key.replace("live", "test")];
    const statements = await statementsOf(async () => {
      for (const text of junk) expect(await status(text)).toBe(401);
    });
    expect(statements).toEqual([]);
  });
});

test("of several journeys at once one gets the key, which ends by itself", async () => {
  const { ctx } = await makeTenant({ sandbox: true });
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => enableSimulatorKey(ctx)));
  const keys = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(keys).toHaveLength(1);
  const record = await verifyKey(ctx.db, keys[0]?.key ?? "");
  expect(record?.app.id).toBe(ctx.app.id);
  const listed = (await listKeys(ctx)).find(({ id }) => id === keys[0]?.id);
  expect(listed?.state).toBe("expiring");
  await ctx.db.orm
    .update(apiKeys)
    .set({ expiresAt: new Date(0) })
    .where(eq(apiKeys.id, keys[0]?.id ?? ""));
  expect((await enableSimulatorKey(ctx)).id).toBe(keys[0]?.id);
});
