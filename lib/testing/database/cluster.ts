import pg from "pg";
import { distribute } from "@/lib/platform/db/distribute";
import { migrate } from "@/lib/platform/db/migrate";
import { administer, databaseUrl } from "@/lib/testing/database/template";

/** Whether the tests run on a cluster: their server is its coordinator. */
export const onCluster = () => Boolean(process.env.CITUS_URL);

interface Node {
  host: string;
  port: number;
}

/** The coordinator's and the workers' addresses, which share the user and the password. */
async function nodesOf(serverUrl: string): Promise<{ url: string; node: Node; coordinator: boolean }[]> {
  const rows = (await administer(
    serverUrl,
    "select nodename as host, nodeport as port, groupid = 0 as coordinator from pg_dist_node order by groupid",
  )) as unknown as (Node & { coordinator: boolean })[];
  return rows.map(({ host, port, coordinator }) => {
    const url = new URL(serverUrl);
    url.host = `${host}:${port}`;
    return { url: url.href, node: { host, port }, coordinator };
  });
}

/** Creates a database on every node of the cluster, migrated and distributed; returns its address. */
export async function clusterDatabase(serverUrl: string, name: string): Promise<string> {
  const nodes = await nodesOf(serverUrl);
  for (const { url } of nodes) {
    await administer(url, `CREATE DATABASE ${name}`);
    await administer(databaseUrl(url, name), "CREATE EXTENSION citus");
  }
  const coordinator = databaseUrl(serverUrl, name);
  await administer(serverUrl, `ALTER DATABASE ${name} SET citus.shard_count = 4`);
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  for (const { node, coordinator: first } of nodes) {
    const call = first ? "citus_set_coordinator_host" : "citus_add_node";
    await client.query(`select ${call}($1, $2)`, [node.host, node.port]);
  }
  await client.end();
  await migrate(coordinator);
  await distribute(coordinator);
  return coordinator;
}

/** Drops a database on every node of the cluster. */
export async function dropClusterDatabase(serverUrl: string, name: string): Promise<void> {
  for (const { url } of await nodesOf(serverUrl)) {
    await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}
