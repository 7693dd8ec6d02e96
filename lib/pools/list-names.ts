import { asc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { pools } from "@/lib/db/schema";

/** The app's pools by name, for a choice. */
export async function listPoolNames(ctx: Context) {
  const { id, name, platform, use } = pools;
  return ctx.db.orm
    .select({ id, name, platform, use })
    .from(pools)
    .where(eq(pools.appId, ctx.app.id))
    .orderBy(asc(name), asc(id));
}
