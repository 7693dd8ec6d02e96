import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";

/** Codes of a pool that a campaign can give now, counted no further than `enough`, along `codes_free`. */
export async function freeCodes(
  ctx: Context,
  poolId: string,
  marginHours: number,
  enough: number,
): Promise<number> {
  const { rows } = await ctx.db.orm.execute<{ free: number }>(sql`
    select count(*)::int as free from (
      select 1 from batches b
        join codes c on c.app_id = b.app_id and c.batch_id = b.id and c.status = 'available'
       where b.app_id = ${ctx.app.id} and b.pool_id = ${poolId} and b.state = 'ready'
         and (b.expires_at is null or b.expires_at > now() + make_interval(hours => ${marginHours}))
       limit ${enough}) one`);
  return rows[0]?.free ?? 0;
}
