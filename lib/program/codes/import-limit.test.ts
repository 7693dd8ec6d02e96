import { setTimeout as pause } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { Db } from "@/lib/platform/db/client";
import { batches } from "@/lib/platform/db/schema";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createCustomCode, importCodes } from "./import";

useService();

test("imports whose senders are slow hold back no other", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  const importOf = (code: string, until?: Promise<void>) => {
    const source = (async function* () {
      await until;
      yield `${code}\n`;
    })();
    return importCodes(ctx, { poolId: pools.ios.referee, kind: "one_time", source });
  };
  const slow = ["SLOW00000001", "SLOW00000002", "SLOW00000003"].map((code) => importOf(code, sent));
  expect(await importOf("FAST00000001")).toMatchObject({ imported: 1 });
  send();
  for (const { imported } of await Promise.all(slow)) expect(imported).toBe(1);
});

test("the chunks of all imports take four database connections at once", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  let [running, most] = [0, 0];
  const importing = and(eq(batches.appId, ctx.app.id), eq(batches.state, "importing"));
  // A chunk that was stored before the other imports have begun would leave its place to them.
  const allBegun = vi
    .waitUntil(async () => (await ctx.db.orm.$count(batches, importing)) === 6, { timeout: 20_000 })
    .then(() => pause(200));
  const call: Db["call"] = async (...args) => {
    most = Math.max(most, ++running);
    await allBegun;
    return ctx.db.call(...args).finally(() => {
      running -= 1;
    });
  };
  const counted = { ...ctx, db: { ...ctx.db, call } };
  const codes = Array.from({ length: 6 }, (_, index) => `CUSTOM${index}`);
  const create = (code: string) =>
    createCustomCode(counted, { poolId: pools.ios.referee, code, limit: 5_000 });
  for (const { imported } of await Promise.all(codes.map(create))) expect(imported).toBe(5_000);
  expect(most).toBe(4);
});
