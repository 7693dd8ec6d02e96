import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";

/** Rows looked at by one statement. */
const WINDOW = 5_000;

const NIL = "00000000-0000-0000-0000-000000000000";

/** Walks a table of the app by id, so that no statement takes long however many rows there are. */
async function walk(ctx: Context, table: "provider_events" | "outbox", change: ReturnType<typeof sql>) {
  let last = NIL;
  for (;;) {
    const { rows } = await ctx.db.orm.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where app_id = ${ctx.app.id} and id > ${last} order by id limit ${WINDOW}`,
    );
    const end = rows.at(-1)?.id;
    if (!end) return;
    await ctx.db.orm.execute(sql`${change} and app_id = ${ctx.app.id} and id > ${last} and id <= ${end}`);
    if (rows.length < WINDOW) return;
    last = end;
  }
}

/** Takes a person out of what providers sent and of what is still to be told to the outside. */
export async function scrubEvents(ctx: Context, uid: string, pseudonym: string): Promise<void> {
  await walk(
    ctx,
    "provider_events",
    sql`update provider_events set uids = array[${pseudonym}], payload = '{}' where ${uid} = any(uids)`,
  );
  for (const field of ["uid", "referee_uid"]) {
    await walk(
      ctx,
      "outbox",
      sql`update outbox set payload = payload || jsonb_build_object(${field}::text, ${pseudonym}::text)
           where payload ->> ${field}::text = ${uid}`,
    );
  }
}
