import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { onCleanup } from "@/bench/cleanup";
import { freePort } from "@/lib/platform/embedded-postgres/address";
import { clusterProcesses, signal } from "@/lib/platform/embedded-postgres/process";
import { answersOk, DrillProgram, makeFolder, until, writeConfig } from "./program";
import { type NodePorts, renderPatroni, renderPooler } from "./render";

const PASSWORD = "drill-password";

const deployed = (file: string) => readFileSync(join("deploy", file), "utf8");

/** A PostgreSQL node as `deploy/` sets it up: Patroni with the server that it starts, and PgBouncer beside it. */
class PostgresNode {
  constructor(
    readonly ports: NodePorts,
    private readonly folder: string,
    private readonly patroni: DrillProgram,
    private readonly pooler: DrillProgram,
  ) {}

  start(): void {
    this.patroni.start();
    this.pooler.start();
  }

  private async everything(name: NodeJS.Signals): Promise<void> {
    this.patroni.signal(name);
    this.pooler.signal(name);
    for (const pid of await clusterProcesses(join(this.folder, "data"))) signal(pid, name);
  }

  /** Kills all processes of the node at once, as when a machine dies. */
  async kill(): Promise<void> {
    await this.everything("SIGKILL");
    await Promise.all([this.patroni.kill(), this.pooler.kill()]);
  }

  freeze = (): Promise<void> => this.everything("SIGSTOP");
  thaw = (): Promise<void> => this.everything("SIGCONT");

  /** Whether Patroni tells a balancer that the node has a role. */
  is = (role: "primary" | "synchronous"): Promise<boolean> =>
    answersOk(`http://127.0.0.1:${this.ports.rest}/${role}`).catch(() => false);

  url(user: string, database: string): string {
    return `postgres://${user}:${PASSWORD}@127.0.0.1:${this.ports.postgres}/${database}`;
  }
}

async function makeNode(number: number, place: NodePlace): Promise<PostgresNode> {
  const folder = makeFolder(join(place.folder, `postgres-${number}`));
  const ports = { postgres: await freePort(), pooler: await freePort(), rest: await freePort() };
  const yaml = renderPatroni(deployed("patroni/patroni.yaml"), {
    name: `postgres-${number}`,
    ports,
    etcd: place.etcd,
    folder,
    programs: place.programs,
    password: PASSWORD,
  });
  const patroni = writeConfig(join(folder, "patroni.yaml"), yaml);
  const users = writeConfig(join(folder, "userlist.txt"), `"metacode" "${PASSWORD}"\n`);
  const ini = renderPooler(deployed("pgbouncer/pgbouncer.ini"), ports, users);
  const pooler = writeConfig(join(folder, "pgbouncer.ini"), ini);
  const node = new PostgresNode(
    ports,
    folder,
    new DrillProgram("patroni", folder, "patroni", [patroni]),
    new DrillProgram("pgbouncer", folder, "pgbouncer", [pooler]),
  );
  onCleanup(() => node.kill());
  return node;
}

interface NodePlace {
  folder: string;
  etcd: number;
  programs: string;
}

/** Starts Patroni's store, with one member, because nothing here kills it. Three members would survive the loss of one. */
async function startEtcd(place: string): Promise<number> {
  const folder = makeFolder(join(place, "etcd"));
  const [client, peer] = [await freePort(), await freePort()];
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const etcd = new DrillProgram("etcd", folder, "etcd", [
    ...["--data-dir", join(folder, "data"), "--initial-cluster", `default=${url(peer)}`],
    ...["--listen-client-urls", url(client), "--advertise-client-urls", url(client)],
    ...["--listen-peer-urls", url(peer), "--initial-advertise-peer-urls", url(peer)],
  ]);
  etcd.start();
  onCleanup(() => etcd.kill());
  await until("etcd answers", () => answersOk(`${url(client)}/health`));
  return client;
}

/** Two PostgreSQL nodes, the second a synchronous standby of the first. */
export class PostgresPair {
  private constructor(readonly nodes: [PostgresNode, PostgresNode]) {}

  static async start(folder: string, programs: string): Promise<PostgresPair> {
    const place = { folder, programs, etcd: await startEtcd(folder) };
    const first = await makeNode(1, place);
    first.start();
    await until("the first node is the primary", () => first.is("primary"));
    await createDatabase(first);
    const pair = new PostgresPair([first, await makeNode(2, place)]);
    pair.nodes[1].start();
    await pair.healthy();
    return pair;
  }

  async primary(): Promise<PostgresNode> {
    for (const node of this.nodes) if (await node.is("primary")) return node;
    throw new Error("No node is the primary");
  }

  async replica(): Promise<PostgresNode> {
    const primary = await this.primary();
    return this.nodes[0] === primary ? this.nodes[1] : this.nodes[0];
  }

  /** Waits until one node is the primary and the other its synchronous standby. */
  async healthy(): Promise<void> {
    await until("both nodes have their role", async () => (await this.replica()).is("synchronous"), 120);
  }
}

/** Creates the role, the database, and the settings of a pooler's role, as the guides say. */
async function createDatabase(node: PostgresNode): Promise<void> {
  const client = new pg.Client({ connectionString: node.url("postgres", "postgres") });
  await client.connect();
  try {
    await client.query(`CREATE ROLE metacode LOGIN PASSWORD '${PASSWORD}'`);
    await client.query("CREATE DATABASE metacode OWNER metacode");
    await client.query(deployed("pgbouncer/role.sql"));
  } finally {
    await client.end();
  }
}

/** The service's address of the database behind a port. */
export const metacodeUrl = (port: number): string =>
  `postgres://metacode:${PASSWORD}@127.0.0.1:${port}/metacode`;
