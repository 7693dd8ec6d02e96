import { database } from "@/lib/db/client";

/** Written a second later than the request that they are about, and so at any moment of a test. */
const NOTES = ["request_log", "key_usage_days", "api_key_uses"];

/** Every row that belongs to an app, by table, in an order of its own: two states are equal where nothing changed. */
export async function rowsOfApp(appId: string): Promise<Record<string, string[]>> {
  const { pool } = database();
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and (column_name = 'app_id' or (table_name = 'apps' and column_name = 'id'))
        and table_name <> all($1)`,
    [NOTES],
  );
  const tables = await Promise.all(
    rows.map(async ({ name }) => {
      const column = name === "apps" ? "id" : "app_id";
      const found = await pool.query<{ text: string }>(
        `select t::text as text from ${name} t where ${column} = $1 order by 1`,
        [appId],
      );
      return [name, found.rows.map(({ text }) => text)] as const;
    }),
  );
  return Object.fromEntries(tables);
}
