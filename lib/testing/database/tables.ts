import pg from "pg";

/** Every row of every table of a database as text, sorted. Equal results mean equal data. */
export async function readTables(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const tables: Record<string, string[]> = {};
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(
        `select t::text as text from "${name}" t order by 1`,
      );
      tables[name] = found.rows.map(({ text }) => text);
    }
    return tables;
  } finally {
    await client.end();
  }
}
