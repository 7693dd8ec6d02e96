import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFolder, FolderInUse } from "@/lib/platform/embedded-postgres/claim";
import { processStart } from "@/lib/platform/embedded-postgres/process";
import { temporaryFolder } from "@/lib/testing/folder";

test("a folder is claimed once and free again after its release", async () => {
  const folder = await temporaryFolder();
  const release = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(FolderInUse);
  await release();
  const again = await claimFolder(folder);
  await release();
  await expect(claimFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  await again();
});

test("a living process keeps its claim", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, `owner-${process.ppid}-${await processStart(process.ppid)}`), "");
  await expect(claimFolder(folder)).rejects.toThrow(`in use by process ${process.ppid}`);
});

test("a pid that now belongs to another process holds nothing", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, `owner-${process.ppid}-1`), "");
  await writeFile(join(folder, "owner-999999999-1"), "");
  const release = await claimFolder(folder);
  expect(await readdir(folder)).toHaveLength(1);
  await release();
  expect(await readdir(folder)).toEqual([]);
});
