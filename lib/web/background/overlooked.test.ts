import { and, eq, isNotNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, onTestFinished, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { pools, refereesInLine } from "@/lib/platform/db/schema";
import { onCluster } from "@/lib/testing/database/cluster";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { appRounds } from "@/lib/web/background/rounds";

useService({ LOG_LEVEL: "warn" });

describe.skipIf(onCluster())("a pool whose codes cannot be set aside (a cluster has no triggers)", () => {
  test.each([
    ["ios", "android"],
    ["android", "ios"],
  ] as const)(
    "for %s keeps neither those for %s nor the look at the app back, and fails the round",
    async (failing, other) => {
      const { tenant, api, metacode } = await referringTenant({ codes: 0 });
      const { ctx } = tenant;
      for (const platform of [failing, other]) {
        expect((await api.redeem(`${platform}-user`, metacode, platform)).status).toBe(503);
        await makeBatch(ctx, tenant.pools[platform].referee, platform, { size: 1 });
      }
      await database().pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before update on referees_in_line for each row when (new.platform = '${failing}') execute function refuse()`);
      const restore = () => database().pool.query("drop function if exists refuse cascade");
      onTestFinished(async () => void (await restore()));
      const check = () =>
        appRounds(database()).checks({ appId: ctx.app.id, name: "checks", lease: uuidv7(), seenAt: null });
      const reserved = async () => {
        const own = and(eq(refereesInLine.appId, ctx.app.id), isNotNull(refereesInLine.codeId));
        const rows = await ctx.db.orm.select().from(refereesInLine).where(own);
        return rows.map(({ platform }) => platform).sort();
      };
      const looks = () =>
        ctx.db.orm.$count(pools, and(eq(pools.appId, ctx.app.id), isNotNull(pools.lowSince)));
      expect(await looks()).toBe(0);
      await expect(check()).rejects.toMatchObject({
        errors: [expect.objectContaining({ message: "refused" })],
      });
      expect(await reserved()).toEqual([other]);
      expect(await looks()).toBeGreaterThan(0);
      await restore();
      expect(await check()).toBeGreaterThan(0);
      expect(await reserved()).toEqual(["android", "ios"]);
    },
  );
});
