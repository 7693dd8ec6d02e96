import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { assertConnections, checkOwnServer, namingDatabase } from "@/lib/cli/start-checks";
import { distribute } from "@/lib/platform/db/distribute";
import { migrate } from "@/lib/platform/db/migrate";
import { parseEnv } from "@/lib/platform/env";
import { administer, databaseUrl } from "@/lib/testing/database/template";
import { temporaryFolder } from "@/lib/testing/folder";
import { useService } from "@/lib/testing/service";
import { getOrCreateSecret } from "@/lib/web/server/secret";

useService();

const check = (processes: number, given: Record<string, string>) => () =>
  assertConnections(parseEnv(given), processes);

test("too many web processes for the embedded server's connections are refused in one line", () => {
  const line = /^[^\n]*DATABASE_POOL_SIZE[^\n]*$/;
  expect(check(14, { DATABASE_POOL_SIZE: "10" })).toThrow(line);
  expect(check(17, {})).toThrow(/WEB_PROCESSES/);
  expect(check(1, { DATABASE_POOL_SIZE: "191" })).toThrow(line);
  for (const [processes, size] of [
    [13, "10"],
    [1, "190"],
    [16, "8"],
  ] as const) {
    expect(check(processes, { DATABASE_POOL_SIZE: size })).not.toThrow();
  }
});

test("the operator's own database may have any number", () => {
  expect(check(64, { DATABASE_POOL_SIZE: "200", DATABASE_URL: "postgres://db/x" })).not.toThrow();
});

test("a server with too few connections is reported at the start, unless it is behind a pooler", async () => {
  const DATABASE_URL = process.env.DATABASE_URL ?? "";
  const wanting = (more: Record<string, string>) =>
    checkOwnServer(parseEnv({ DATABASE_URL, DATABASE_POOL_SIZE: "200", ...more }), 4);
  expect(await wanting({})).toMatch(
    /^The server of DATABASE_URL allows \d+ connections[^\n]*DATABASE_POOL_SIZE[^\n]*$/,
  );
  expect(await wanting({ DATABASE_POOLER: "transaction" })).toMatch(
    /^The role of DATABASE_URL lacks [^\n]*enable_seqscan=off/,
  );
  expect(await wanting({ DATABASE_POOL_SIZE: "1" })).toBeUndefined();
});

test("the connections of the background work count, which every web process or worker does, and the pages process not", async () => {
  const DATABASE_URL = process.env.DATABASE_URL ?? "";
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  // Three pools, ten connections for commands, and eight for two processes that do background work.
  const size = (background: number) => String(Math.floor((rows[0].most - 10 - background) / 3));
  const warning = (ROLE: string, background: number) =>
    checkOwnServer(parseEnv({ DATABASE_URL, ROLE, DATABASE_POOL_SIZE: size(background) }), 3);
  expect(await warning("web", 0)).toBeUndefined();
  expect(await warning("all", 8)).toBeUndefined();
  expect(await warning("worker", 12)).toBeUndefined();
  for (const role of ["all", "worker"]) expect(await warning(role, 0)).toContain("background work may open");
});

test("connections that the server reserves, and the limits of the role and the database, count too", async () => {
  const url = new URL(process.env.DATABASE_URL ?? "");
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = url.pathname.slice(1);
  const role = `limited_${name}`;
  onTestFinished(async () => {
    await client.query(`alter database ${name} connection limit -1`);
    await client.query(`drop schema reserving cascade; drop role if exists ${role}`);
    await client.end();
  });
  await client.query("create schema reserving");
  await client.query(
    `create function reserving.current_setting(name text, missing boolean) returns text language sql as $$
       select case name when 'reserved_connections' then '190' else pg_catalog.current_setting(name, missing) end $$`,
  );
  const most = async (address: string) => {
    const settings = parseEnv({ DATABASE_URL: address, DATABASE_POOL_SIZE: "200" });
    return Number(/allows (-?\d+) connections/.exec((await checkOwnServer(settings, 4)) ?? "")?.[1]);
  };
  const all = await most(url.href);
  expect(await most(`${url.href}?options=-c%20search_path%3Dreserving,pg_catalog`)).toBe(all - 190);
  await client.query(`create role ${role} login password 'secret' connection limit 7`);
  await client.query(`alter database ${name} connection limit 5`);
  // Neither limits a superuser, as which the other tests connect.
  expect(await most(url.href)).toBe(all);
  const limited = new URL(url);
  Object.assign(limited, { username: role, password: "secret" });
  expect(await most(limited.href)).toBe(5);
  await client.query(`alter database ${name} connection limit -1`);
  expect(await most(limited.href)).toBe(7);
  await client.query("revoke select on pg_catalog.pg_roles from public");
  // A server that hides its roles is no reason not to start.
  expect(await most(limited.href)).toBe(all);
  await client.query("grant select on pg_catalog.pg_roles to public");
  await client.query(`alter role ${role} connection limit -1`);
  expect(await most(limited.href)).toBe(all);
});

test("a server of a version that is too old is refused in one line, before a migration fails in it", async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("create schema old_server");
  await client.query(
    `create function old_server.current_setting(name text) returns text language sql as $$
       select case name when 'server_version_num' then '140011' else pg_catalog.current_setting(name) end $$`,
  );
  const old = `${process.env.DATABASE_URL}?options=-c%20search_path%3Dold_server,pg_catalog`;
  await expect(checkOwnServer(parseEnv({ DATABASE_URL: old }), 1)).rejects.toThrow(
    "Cannot use the database of DATABASE_URL: it is PostgreSQL 14, and Metacode needs 15 or newer",
  );
});

test("a new database whose encoding lacks most characters is refused in one line; one in use is warned of", async () => {
  const { url, run } = inject("testServer");
  const name = `${run}_latin`;
  await administer(url, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
  onTestFinished(async () => void (await administer(url, `drop database ${name} with (force)`)));
  const DATABASE_URL = databaseUrl(url, name);
  const check = (size = "2") => checkOwnServer(parseEnv({ DATABASE_URL, DATABASE_POOL_SIZE: size }), 1);
  await expect(check()).rejects.toThrow(
    /^Cannot use the database of DATABASE_URL: its encoding is LATIN1[^\n]+'UTF8'$/,
  );
  await migrate(DATABASE_URL);
  expect(await check()).toMatch(
    /^Some requests fail in the database of DATABASE_URL: its encoding is LATIN1[^\n]+$/,
  );
  expect(await check("200")).toMatch(/its encoding is LATIN1.+\n.+ may open /);
});

test("a server that cannot be reached is refused in one line that names the variable and no password", async () => {
  const settings = parseEnv({ DATABASE_URL: "postgres://me:secret-word@127.0.0.1:1/x" });
  const refused = await checkOwnServer(settings, 1).catch((error: Error) => error.message);
  expect(refused).toMatch(/^Cannot use the database of DATABASE_URL: [^\n]+$/);
  expect(refused).not.toContain("secret-word");
});

test("a database that refuses the migration, or a missing certificate, is named in one line", async () => {
  const url = `${process.env.DATABASE_URL}?options=-c%20default_transaction_read_only%3Don`;
  const settings = parseEnv({ DATABASE_URL: url });
  await expect(namingDatabase(settings, () => migrate(url))).rejects.toThrow(
    /^Cannot use the database of DATABASE_URL: cannot execute [^\n]*read-only[^\n]*$/,
  );
  await expect(namingDatabase({}, () => migrate(url))).rejects.toThrow(/^cannot execute /);
  const direct = parseEnv({ DATABASE_URL: url, DATABASE_DIRECT_URL: "postgres://me@127.0.0.1:1/x" });
  const distributing = () => distribute(direct.DATABASE_DIRECT_URL, () => undefined);
  await expect(namingDatabase(direct, distributing, true)).rejects.toThrow(
    /^Cannot use the database of DATABASE_DIRECT_URL: [^\n]+$/,
  );
  const uncertified = parseEnv({ DATABASE_URL: `${process.env.DATABASE_URL}?sslrootcert=/missing.pem` });
  await expect(checkOwnServer(uncertified, 1)).rejects.toThrow(
    /^Cannot use the database of DATABASE_URL: [^\n]*missing\.pem[^\n]*$/,
  );
});

test("a stored secret that cannot be read, or was cut, stops the start and stays, because it seals the database", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "auth-secret");
  const made = await getOrCreateSecret(folder);
  expect(await readFile(file, "utf8")).toBe(made);
  const moved = join(folder, "moved");
  await rename(file, moved);
  // Even an administrator cannot read a folder as a file.
  await mkdir(file);
  await expect(getOrCreateSecret(folder)).rejects.toThrow(
    /^Cannot read the secret in \S+ \(EISDIR\): [^\n]+$/,
  );
  await rm(file, { recursive: true });
  await writeFile(file, "cut");
  await expect(getOrCreateSecret(folder)).rejects.toThrow(/holds no secret of 32 characters: [^\n]+$/);
  expect((await stat(file)).size).toBe(3);
  await rename(moved, file);
  expect(await getOrCreateSecret(folder)).toBe(made);
});

test("a data folder in which no secret can be created is refused with the variable that names it", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  // Nothing can be created in `/proc`, as in a read-only folder.
  for (const folder of [file, join(file, "data"), "/proc"])
    await expect(getOrCreateSecret(folder)).rejects.toThrow(/^DATA_DIR: E[A-Z]+: [^\n]+$/);
});

test("systemd starts the service again for as long as its database is away", async () => {
  const [unit = ""] = (await readFile("deploy/metacode.service", "utf8")).split("[Service]");
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
});
