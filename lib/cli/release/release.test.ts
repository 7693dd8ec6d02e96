import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { changelogEntry, copyForOperators, packRelease, writeChecksums } from "@/lib/cli/release/assemble";
import { temporaryFolder } from "@/lib/testing/folder";

const run = promisify(execFile);

test("this version has an entry in the changelog", async () => {
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  const entry = changelogEntry(await readFile("CHANGELOG.md", "utf8"), version);
  expect(entry).toMatch(new RegExp(`^## ${version}\n\n\\S`));
});

test("a release takes its own entry only, and cannot be created without one", () => {
  const changelog = "# Changelog\n\n## 1.10.0\n\nNewer.\n\n## 1.1.0\n\nOlder.\n";
  expect(changelogEntry(changelog, "1.1.0")).toBe("## 1.1.0\n\nOlder.\n");
  expect(() => changelogEntry(changelog, "1.1")).toThrow(
    /^CHANGELOG.md has no entry for version 1.1:[^\n]+$/,
  );
});

test("a changed file of a release is found by its checksums", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "lib"));
  for (const file of ["server.js", "lib/a file.sql"]) await writeFile(join(folder, file), "1");
  await writeChecksums(folder);
  const check = () => run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder });
  expect((await check()).stdout).toBe("./lib/a file.sql: OK\n./server.js: OK\n");
  await appendFile(join(folder, "server.js"), "2");
  await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining("./server.js: FAILED\n") });
});

test("a release has no settings of an installation, which compose keeps beside the files for operators", async () => {
  const [root, folder] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(root, "deploy"));
  for (const name of ["deploy/.env", "deploy/a.yaml"]) await writeFile(join(root, name), "1");
  await copyForOperators(root, folder);
  expect(await readdir(join(folder, "deploy"))).toEqual(["a.yaml"]);
});

test("an archive is the same at any time and with any rights of its files, and only its owner may write what it unpacks", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "release/server.js");
  await mkdir(join(folder, "release"));
  await writeFile(file, "1");
  const packed = async (mode: number, time: number) => {
    await chmod(file, mode);
    await utimes(file, time, time);
    return readFile(await packRelease(folder, "release"));
  };
  const first = await packed(0o600, 1_000);
  expect(await packed(0o666, 2_000)).toEqual(first);
  const { stdout } = await run("tar", ["--list", "--verbose", "--file", join(folder, "release.tar.gz")]);
  expect(stdout).toMatch(/^-rw-r--r-- 0\/0 .* release\/server.js$/m);
  await run("sha256sum", ["--check", "--strict", "release.tar.gz.sha256"], { cwd: folder });
});
