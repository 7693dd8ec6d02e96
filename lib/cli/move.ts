import { parseArgs } from "node:util";
import pg from "pg";
import { stopWith } from "@/lib/cli/database";
import {
  assertEmbedded,
  EMBEDDED,
  embeddedDatabase,
  externalDatabase,
  holdEmbedded,
  type TransferDatabase,
} from "@/lib/cli/transfer-database";
import { formatNumber } from "@/lib/contract/format";
import { getBinaries, majorOf } from "@/lib/platform/embedded-postgres/binaries";
import {
  OWNER,
  readPassword,
  replaceCluster,
  upgradeFolder,
} from "@/lib/platform/embedded-postgres/initialize";
import { commandLine, parseEnv } from "@/lib/platform/env";
import { fillDatabase } from "@/lib/platform/transfer/fill";
import { openSnapshot } from "@/lib/platform/transfer/snapshot";

const USAGE = `Usage: ${commandLine("move", "<from> <to> [--while-running]")}

Each of the two is an address such as postgres://user:password@host:5432/name, the name of an environment variable that
contains one, or \`embedded\` for the database in DATA_DIR. The target must be empty.`;

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function copy(
  from: Pick<TransferDatabase, "url">,
  to: Pick<TransferDatabase, "url">,
  whileRunning: boolean,
): Promise<void> {
  const source = await openSnapshot({ url: from.url, whileRunning });
  try {
    const { tables, rows } = await fillDatabase(source, to.url, say);
    say(`${formatNumber(rows)} rows in ${tables} tables are equal on both sides.`);
  } finally {
    await source.close();
  }
}

async function moveBetween(from: string, to: string, whileRunning: boolean): Promise<void> {
  const open = (name: string, running: boolean) =>
    name === EMBEDDED ? embeddedDatabase(running) : externalDatabase(name);
  if (from === EMBEDDED) await assertEmbedded(parseEnv(process.env).DATA_DIR);
  const source = await open(from, whileRunning);
  try {
    const target = await open(to, false);
    try {
      say(`Moving ${source.label} to ${target.label}`);
      await copy(source, target, whileRunning);
    } finally {
      await target.stop();
    }
  } finally {
    await source.stop();
  }
  const setting = to === EMBEDDED ? "Remove DATABASE_URL" : "Set DATABASE_URL to the target";
  say(
    `${setting}, keep AUTH_SECRET (unset, it is in the file auth-secret of DATA_DIR), and start the service.`,
  );
}

/** Copies the embedded database into a cluster of this version's PostgreSQL, which then takes its place. */
async function upgradeEmbedded(): Promise<void> {
  const { DATA_DIR } = parseEnv(process.env);
  const major = await majorOf(await getBinaries());
  if ((await assertEmbedded(DATA_DIR)) === major) {
    say(`The embedded database already runs PostgreSQL ${major}.`);
    return;
  }
  const source = await holdEmbedded(DATA_DIR);
  const { folder } = source.setup;
  try {
    const target = await holdEmbedded(upgradeFolder(folder));
    try {
      say(`Moving the embedded database from PostgreSQL ${source.major} to ${major}`);
      await copy(source, target, false);
      await setPassword(target.url, (await readPassword(folder)) ?? "");
    } finally {
      await target.server.stop();
      await target.release();
    }
    await source.server.stop();
    await replaceCluster(folder, source.major);
    say(
      `Start the service. Once it runs well, delete ${folder}/cluster-${source.major}, the former database.`,
    );
  } finally {
    await source.server.stop();
    await source.release();
  }
}

/** Sets the owner's password, because the data folder has one password file for any cluster in it. */
async function setPassword(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter role ${OWNER} password '${password}'`).finally(() => client.end());
}

/** Moves every row from one database to another, or the embedded one to a newer PostgreSQL. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "while-running": { type: "boolean", default: false } },
  });
  const [from, to, ...rest] = positionals;
  if (!from || !to || rest.length > 0) throw new Error(USAGE);
  if (from === EMBEDDED && to === EMBEDDED) return upgradeEmbedded();
  await moveBetween(from, to, values["while-running"]);
}

await main().catch(stopWith);
