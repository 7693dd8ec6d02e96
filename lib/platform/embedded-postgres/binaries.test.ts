import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSymlinks } from "@/lib/platform/embedded-postgres/binaries";
import { temporaryFolder } from "@/lib/testing/folder";

test("missing and wrong library links are made, also by several processes at once", async () => {
  const root = await temporaryFolder();
  const lib = join(root, "native", "lib");
  await mkdir(lib, { recursive: true });
  await writeFile(join(lib, "libpq.so.5.18"), "library");
  await symlink("elsewhere", join(lib, "libpq.so"));
  const links = ["libpq.so", "libpq.so.5"].map((name) => ({
    source: "native/lib/libpq.so.5.18",
    target: `native/lib/${name}`,
  }));
  await writeFile(join(root, "native", "pg-symlinks.json"), JSON.stringify(links));
  await Promise.all(Array.from({ length: 20 }, () => createSymlinks(root)));
  await createSymlinks(root);
  expect((await readdir(lib)).sort()).toEqual(["libpq.so", "libpq.so.5", "libpq.so.5.18"]);
  expect(await readlink(join(lib, "libpq.so"))).toBe("libpq.so.5.18");
  expect(await readFile(join(lib, "libpq.so.5"), "utf8")).toBe("library");
});
