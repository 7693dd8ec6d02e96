import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { windowsOf } from "./walk-rows";

/**
 * Takes a person out of what is kept of webhooks: what was or will be sent, and what was answered to it, which may
 * repeat it. Returns how many deliveries named the person.
 */
export async function scrubWebhooks(ctx: Context, uid: string, pseudonym: string): Promise<number> {
  const appId = ctx.app.id;
  let scrubbed = 0;
  for await (const within of windowsOf(ctx.db, {
    table: "webhook_deliveries",
    tenant: sql`app_id = ${appId}`,
  })) {
    for (const field of ["uid", "referee_uid", "referrer_uid"]) {
      const { rows } = await ctx.db.orm.execute<{ named: number }>(sql`
        with named as (
          update webhook_deliveries set payload = payload || jsonb_build_object(${field}::text, ${pseudonym}::text)
           where payload ->> ${field}::text = ${uid} and ${within} returning id
        ), answers as (
          update webhook_attempts a set response_headers = null, response_body = null from named
           where a.app_id = ${appId} and a.delivery_id = named.id
        )
        select count(*)::int as named from named`);
      scrubbed += rows[0]?.named ?? 0;
    }
  }
  return scrubbed;
}
