import pg from "pg";
import { distribute } from "@/lib/platform/db/distribute";
import { administer, databaseUrl } from "@/lib/testing/database/template";

/** Few shards, because every statement over all apps visits each of them; two per worker still spread apps over the nodes. */
const SHARDS = 4;

/** Whether the tests run on a cluster (Citus), whose coordinator `CITUS_URL` names. */
export const onCluster = () => Boolean(process.env.CITUS_URL);

/** The addresses of a cluster's servers, coordinator first; they share user and password. */
export async function nodesOf(coordinatorUrl: string): Promise<string[]> {
  const nodes = await administer<{ host: string; port: number }>(
    coordinatorUrl,
    "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid",
  );
  return nodes.map(({ host, port }) => {
    const url = new URL(coordinatorUrl);
    url.host = `${host}:${port}`;
    return url.href;
  });
}

/** Creates an empty database on every server of a cluster and connects them; returns the coordinator's address of it. */
export async function createOnCluster(nodes: string[], name: string): Promise<string> {
  for (const url of nodes) await administer(url, `CREATE DATABASE ${name}`);
  await connectNodes(nodes, name);
  return databaseUrl(nodes[0] ?? "", name);
}

async function connectNodes(nodes: string[], name: string): Promise<void> {
  for (const url of nodes) await administer(databaseUrl(url, name), "CREATE EXTENSION citus");
  const [coordinator = "", ...workers] = nodes;
  await administer(coordinator, `ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
  const client = new pg.Client({ connectionString: databaseUrl(coordinator, name) });
  await client.connect();
  try {
    const { hostname, port } = new URL(coordinator);
    await client.query("select citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
    for (const worker of workers.map((url) => new URL(url))) {
      await client.query("select citus_add_node($1, $2)", [worker.hostname, Number(worker.port)]);
    }
  } finally {
    await client.end();
  }
}

/** Distributes a migrated template and ends the extension's own connections to it, which would block copies. */
export async function distributeTemplate(nodes: string[], name: string): Promise<void> {
  await distribute(databaseUrl(nodes[0] ?? "", name), () => undefined);
  for (const url of nodes) {
    await administer(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await administer(
      url,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
  }
}
