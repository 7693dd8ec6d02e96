import { sql } from "drizzle-orm";
import { Cache } from "@/lib/platform/cache";
import type { Db } from "@/lib/platform/db/client";
import { singleton } from "@/lib/platform/singleton";

/** Pools of all apps in one state. */
export interface PoolState extends Record<string, unknown> {
  /** `empty`: no code is left; `low`: below the pool's own mark, so its owner was notified; else `filled`. */
  state: "empty" | "low" | "filled";
  pools: number;
  /** By the roll-up's figures, at most a minute or two old. */
  codes: number;
}

/** Reads every pool and batch, so the figures are shared by the scrapes of half a minute. */
const cache = () => singleton("metrics.stock", () => new Cache<PoolState[]>(30_000, 1));

export function readPoolStates(db: Db): Promise<PoolState[]> {
  return cache().get("", async () => {
    const { rows } = await db.orm.execute<PoolState>(sql`
      select state, count(*)::int as pools, sum(free)::float8 as codes from (
        select coalesce(sum(b.size - coalesce(c.given, 0)), 0) as free,
               case when count(b.id) = 0 then 'empty' when p.low_since is not null then 'low' else 'filled' end as state
          from pools p
          left join batches b on b.app_id = p.app_id and b.pool_id = p.id and b.state = 'ready'
                             and (b.expires_at is null or b.expires_at > now())
          left join batch_counts c on c.app_id = b.app_id and c.batch_id = b.id
         group by p.app_id, p.id, p.low_since) stock
       group by state`);
    return rows;
  });
}
