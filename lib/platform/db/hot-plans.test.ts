import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "@/lib/platform/db/client";
import { referrals } from "@/lib/platform/db/schema";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("a plan from the time when a table was empty does not read the whole table later", async () => {
  const tenant = await makeTenant({ codes: 30 });
  const { DATABASE_URL: url = "" } = process.env;
  // One connection, because plans belong to a connection; vacuumed, because the planner knows only then that the
  // table is empty.
  const db = openDatabase({ url, size: 1 });
  await db.orm.execute(sql`vacuum analyze referrals`);
  const ctx = { ...tenant.ctx, db };
  const { metacode } = await getOrCreateReferrer(ctx, { uid: "ann" });
  const rowsRead = async () => {
    await db.orm.execute(sql`select pg_stat_force_next_flush()`);
    const { rows } = await db.orm.execute<{ read: string }>(
      sql`select t.seq_tup_read + sum(i.idx_tup_read) as read
            from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
           where t.relname = 'referrals' group by t.seq_tup_read`,
    );
    return Number(rows[0]?.read);
  };
  const before = await rowsRead();
  for (let n = 0; n < 20; n++) {
    await redeemMetacode(ctx, { refereeUid: `referee-${n}`, metacode, platform: "ios", clickId: undefined });
  }
  const after = await rowsRead();
  expect(await db.orm.$count(referrals)).toBe(20);
  await db.close();
  expect(after - before).toBeLessThanOrEqual(20);
});
