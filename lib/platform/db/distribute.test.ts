import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { distribute } from "@/lib/platform/db/distribute";
import { migrate } from "@/lib/platform/db/migrate";
import { createOnCluster, onCluster } from "@/lib/testing/database/cluster";
import { dropDatabase } from "@/lib/testing/database/template";
import { emptyDatabase } from "@/lib/testing/database/test-database";

const ignore = () => undefined;

test.skipIf(onCluster())("a database of a single server is refused, and one behind a pooler", async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await expect(distribute(url, ignore)).rejects.toThrow("not on a Citus cluster");
  await expect(distribute(undefined, ignore)).rejects.toThrow("set DATABASE_DIRECT_URL");
});

test.skipIf(!onCluster())(
  "rows that exist are distributed, and later tables with the next migration (needs CITUS_URL)",
  async () => {
    const server = inject("testServer");
    const name = `${server.run}_${randomBytes(6).toString("hex")}`;
    onTestFinished(() => dropDatabase(server, name));
    const url = await createOnCluster(server.nodes, name);
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const placed = async () => (await client.query(PLACED)).rows.map(({ table }) => table);
    await client.query(
      "insert into outbox (app_id, id, type, payload) select gen_random_uuid(), new_id(), 'x', '{}' from generate_series(1, 500)",
    );
    expect(await placed()).toEqual([]);

    await distribute(url, ignore);
    expect((await client.query("select count(*)::int as rows from outbox")).rows).toEqual([{ rows: 500 }]);
    const nodes = await client.query(
      "select count(distinct nodeport)::int as nodes from citus_shards where table_name = 'outbox'::regclass",
    );
    expect(nodes.rows).toEqual([{ nodes: server.nodes.length - 1 }]);
    for (const [name, value] of [
      ["enable_seqscan", "off"],
      ["jit", "off"],
    ]) {
      const { rows } = await client.query(
        "select distinct result as value from run_command_on_workers($1) where success",
        [`show ${name}`],
      );
      expect({ name, rows }).toEqual({ name, rows: [{ value }] });
    }
    const tables = await placed();
    expect(tables).toEqual(expect.arrayContaining(["apps", "codes", "outbox", "referrals"]));
    expect(tables).not.toContain("users");

    // Empty tables and new functions come with the migration; a table with rows waits for the next run.
    for (const table of ["clicks", "outbox"]) await client.query(`select undistribute_table('${table}')`);
    await client.query("drop function set_aside");
    await migrate(url);
    expect(await placed()).toEqual(tables.filter((table) => table !== "outbox"));
    expect((await client.query(DELEGATED)).rows).toEqual([{ name: "set_aside" }]);
    await distribute(url, ignore);
    expect(await placed()).toEqual(tables);
    expect((await client.query("select count(*)::int as rows from outbox")).rows).toEqual([{ rows: 500 }]);
  },
);

const DELEGATED = `select proname as name from pg_dist_object join pg_proc p on p.oid = objid
  where classid = 'pg_proc'::regclass and proname = 'set_aside' and distribution_argument_index = 0`;

const PLACED = `select logicalrelid::text as table from pg_dist_partition where partmethod = 'h' order by 1`;
