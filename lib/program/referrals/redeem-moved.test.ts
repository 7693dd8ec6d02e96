import { sql } from "drizzle-orm";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { env } from "@/lib/platform/env";
import { onCluster } from "@/lib/testing/database/cluster";
import { persistently } from "@/lib/testing/parallel";
import { redeemingTenant } from "@/lib/testing/redeems";
import { assignedCodes } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService();

const PLACE = (app: string) => sql`
  select s.shard, n.nodename as host, n.nodeport as port, o.nodename as other_host, o.nodeport as other_port
    from (select get_shard_id_for_distribution_column('apps', ${app}::uuid) as shard) s
    join pg_dist_placement p on p.shardid = s.shard
    join pg_dist_node n on n.groupid = p.groupid
    join pg_dist_node o on o.shouldhaveshards and o.groupid <> p.groupid
   limit 1`;

/** An answer with a code, which a repeated request may get as that of the first. */
const CODE = /^(ALREADY_REDEEMED )?[A-Z0-9]{8,}$/;

interface Place extends Record<string, unknown> {
  shard: string;
  host: string;
  port: number;
  other_host: string;
  other_port: number;
}

test.skipIf(!onCluster())(
  "redeems go on while their app moves to another server, and no code is assigned twice or lost (needs CITUS_URL)",
  async () => {
    const { tenant, redeem } = await redeemingTenant({ codes: 5_000 });
    const { ctx } = tenant;
    const readPlace = async () => {
      const { rows } = await ctx.db.orm.execute<Place>(PLACE(ctx.app.id));
      if (!rows[0]) throw new Error("the cluster has a single worker");
      return rows[0];
    };
    const before = await readPlace();
    let moved = false;
    const given = new Map<string, string>();
    const redeemOn = async (caller: number) => {
      for (let n = 0; !moved || n < 10; n++) {
        const refereeUid = `caller-${caller}-${n}`;
        const answer = await persistently(
          () => redeem({ refereeUid }),
          (answer) => CODE.test(answer),
        );
        expect(answer).toMatch(CODE);
        given.set(refereeUid, answer.replace(/^\w+ /, ""));
      }
    };
    const callers = Promise.all([0, 1, 2, 3].map(redeemOn));
    const administrator = new pg.Client({ connectionString: env().DATABASE_URL });
    await administrator.connect();
    onTestFinished(() => administrator.end());
    await administrator.query("select citus_move_shard_placement($1, $2, $3, $4::text, $5::int)", [
      ...[before.shard, before.host, before.port],
      ...[before.other_host, before.other_port],
    ]);
    moved = true;
    await callers;

    const after = await readPlace();
    expect([after.host, after.port]).toEqual([before.other_host, before.other_port]);
    expect(new Set(given.values()).size).toBe(given.size);
    const assigned = await assignedCodes(tenant);
    const stored = new Map(assigned.map(({ redeemedByUid, code }) => [redeemedByUid, code]));
    expect([...given].filter(([uid, code]) => stored.get(uid) !== code)).toEqual([]);
  },
);
