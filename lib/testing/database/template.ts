import { Client } from "pg";
import { pinStatements } from "@/lib/platform/db/distribute";

/** The prefix of a run's databases on a server, by which they are recognised and dropped together. */
export interface TestServer {
  url: string;
  /** The addresses of all servers of a cluster, `url` first; of a single server its own. */
  nodes: string[];
  /** Prefix of every database of this run. */
  run: string;
}

/** The connection string of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs a statement that cannot run in a transaction, such as `CREATE DATABASE`. */
export async function administer<Row extends object = { name: string }>(
  serverUrl: string,
  statement: string,
): Promise<Row[]> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Copies the template and returns the new database's connection string. */
export async function cloneTemplate({ url, nodes, run }: TestServer, name: string): Promise<string> {
  // Costs a third of wal_log, which writes every page twice. The tables keep their identifiers, by which the servers of a
  // cluster know them.
  for (const node of nodes) {
    await administer(node, `CREATE DATABASE ${name} TEMPLATE ${run}_template STRATEGY file_copy`);
    // A copy has the rows of its template, and none of its settings.
    if (nodes.length > 1) for (const statement of pinStatements(name)) await administer(node, statement);
  }
  return databaseUrl(url, name);
}

const OBJECT_IN_USE = "55006";

/**
 * Drops a database, open connections included. The servers of a cluster open new connections to each other, and a busy
 * server may take longer to end them than the five seconds that the statement waits, so a failed drop is repeated.
 */
export async function dropDatabase({ nodes }: Pick<TestServer, "nodes">, name: string): Promise<void> {
  const drop = async (node: string, tries: number): Promise<void> => {
    try {
      await administer(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || tries === 1) throw error;
      await drop(node, tries - 1);
    }
  };
  for (const node of nodes) await drop(node, 10);
}

/** Drops the databases of a run on a server that outlives the run. */
export async function dropDatabases(server: TestServer): Promise<void> {
  const found = await administer(
    server.url,
    `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${server.run}')`,
  );
  for (const { name } of found) await dropDatabase(server, name);
}
