import { count, eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { batches, codes } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { sweepImports } from "./abandon-import";
import { importCodes } from "./import";

useService();

async function storedCodes(ctx: Context): Promise<number> {
  const mine = eq(codes.appId, ctx.app.id);
  return (await database().orm.select({ rows: count() }).from(codes).where(mine))[0]?.rows ?? 0;
}

/** Waits for the killed process's statements, which still run on the server. */
async function serverQuiet(): Promise<void> {
  const busy = sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state = 'active' and query like '%import_codes%'`;
  while ((await database().orm.execute(busy)).rows.length > 0);
}

test("a killed import assigns nothing and is swept, after which its codes can be imported", async () => {
  const { ctx, key, pools } = await makeTenant({ codes: 0 });
  const poolId = pools.ios.referee;
  const client = clientOf(key);
  const { metacode } = (await client.referrer("anna")).body;
  const child = startChild(await bundleForChild("lib/testing/processes/import.ts"), [
    ctx.workspace.id,
    ctx.app.id,
    poolId,
  ]);
  onTestFinished(() => child.kill());
  expect(await child.firstLine).toContain("stored");
  await child.kill();
  await serverQuiet();

  expect(await storedCodes(ctx)).toBeGreaterThanOrEqual(5_000);
  expect((await client.redeem("bob", metacode)).status).toBe(503);
  const upload = () => {
    const source = (async function* () {
      yield "CODE00000000\nCODE00000001\n";
    })();
    return importCodes(ctx, { poolId, kind: "one_time", source });
  };
  await expect(upload()).rejects.toMatchObject({ code: "CONFLICT" });

  const old = sql`now() - interval '121 seconds'`;
  await database().orm.update(batches).set({ createdAt: old }).where(eq(batches.appId, ctx.app.id));
  await sweepImports(database());
  expect(await storedCodes(ctx)).toBe(0);
  expect(await upload()).toMatchObject({ imported: 2 });
  expect((await client.redeem("bob", metacode)).status).toBe(200);
});
