import pg from "pg";

/** Small tables whose rows are looked for over all apps at once, so the coordinator keeps them. */
const COORDINATED = ["rounds", "alert_posts", "weekly_emails"];

/** Tables of the coordinator that the functions of an app reach from its node. */
const REACHED = ["quota_usage", "slug_directory"];

interface Table {
  name: string;
  /** The column of the app, where rows are found by it. */
  column: string | null;
  state: "plain" | "local" | "distributed";
  filled: boolean;
}

export async function isCluster(client: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** The tables of this version: a primary key that begins with the app makes a table one of the app's. */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
            case when c.relname = any($1) then null when c.relname = 'apps' then 'id'
                 when a.attname = 'app_id' then 'app_id' end as column,
            case p.partmethod when 'h' then 'distributed' when 'n' then 'local' else 'plain' end as state,
            false as filled
       from pg_class c
       left join pg_index i on i.indrelid = c.oid and i.indisprimary
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       left join pg_dist_partition p on p.logicalrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by c.relname <> 'apps', c.relname`,
    [COORDINATED],
  );
  return rows;
}

export async function distribute(url: string, say: (line: string) => void = () => undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "metacode distribute" });
  await client.connect();
  try {
    await client.query("set citus.multi_shard_modify_mode = 'sequential'");
    for (const { name, column, state } of await readTables(client)) {
      if (column && state !== "distributed") {
        const { rowCount } = await client.query(`select 1 from "${name}" limit 1`);
        const how = rowCount ? "create_distributed_table_concurrently" : "create_distributed_table";
        const beside = name === "apps" ? "" : ", colocate_with => 'apps'";
        await client.query(`select ${how}('${name}', '${column}'${beside})`);
        say(`${name}: distributed by ${column}`);
      } else if (REACHED.includes(name) && state === "plain") {
        await client.query(`select citus_add_local_table_to_metadata('${name}')`);
        say(`${name}: on the coordinator`);
      }
    }
    await distributeFunctions(client);
  } finally {
    await client.end();
  }
}

async function distributeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ signature: string; app: boolean }>(
    `select p.oid::regprocedure::text as signature, p.proargnames[1] = 'p_app' and p.proargtypes[0] = 'uuid'::regtype as app
       from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      order by p.oid`,
  );
  for (const { signature, app } of rows) {
    await client.query(
      app
        ? "select create_distributed_function($1::regprocedure, 'p_app', colocate_with => 'apps')"
        : "select create_distributed_function($1::regprocedure)",
      [signature],
    );
  }
}
