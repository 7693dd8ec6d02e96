import type pg from "pg";

/** Stored as the comment of the schema that holds the migrations, because a separate table would stay for ever. */
const MARK = "Metacode is being copied into this database";

/** Whether a copy of rows into a database is under way or was interrupted. */
export async function isIncomplete(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    "select obj_description(to_regnamespace('drizzle'), 'pg_namespace') as mark",
  );
  return rows[0]?.mark === MARK;
}

/** Marks a migrated database as incomplete until {@link markComplete}, so that no service starts on half of its rows. */
export async function markIncomplete(client: pg.Client): Promise<void> {
  await client.query(`comment on schema drizzle is '${MARK}'`);
}

/** Lets services start on the database: every row has been copied. */
export async function markComplete(client: pg.Client): Promise<void> {
  await client.query("comment on schema drizzle is null");
}
