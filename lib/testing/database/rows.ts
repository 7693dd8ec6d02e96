import { database } from "@/lib/platform/db/client";

/** Tables that are written up to a second after a request, and so at any time during a test. */
const LATE_TABLES = ["request_log", "request_subjects", "key_usage_days", "api_key_uses"];

/** Every row of an app by table, sorted: equal results mean that nothing changed. */
export async function rowsOfApp(appId: string): Promise<Record<string, string[]>> {
  const { pool } = database();
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and (column_name = 'app_id' or (table_name = 'apps' and column_name = 'id'))
        and table_name <> all($1)`,
    [LATE_TABLES],
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

/** Every table of the database as a line with a hash of its rows: equal results mean that nothing changed. */
export async function stateOfAll(): Promise<string> {
  const { pool } = database();
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const lines = rows.map(async ({ name }) => {
    const found = await pool.query<{ hash: string | null }>(
      `select md5(string_agg(t::text, ',' order by t::text)) as hash from "${name}" t`,
    );
    return `${name} ${found.rows[0]?.hash}`;
  });
  return (await Promise.all(lines)).join("\n");
}
