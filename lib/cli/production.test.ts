import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { buildProduction } from "@/lib/cli/production";
import { temporaryFolder } from "@/lib/testing/folder";

/** Stands for Next: leaves a file behind, trips over one of an earlier build, and fails while the sources say so. */
const NEXT = `
  const { existsSync, writeFileSync } = require("node:fs");
  if (existsSync(".next/part")) throw new Error("leftovers of another build");
  writeFileSync(".next/part", "");
  if (existsSync("app/broken.tsx")) throw new Error("app/broken.tsx does not compile");
`;

/** A project whose build takes milliseconds. */
async function smallProject(): Promise<string> {
  const root = await temporaryFolder();
  const files = {
    "node_modules/next/dist/bin/next": NEXT,
    "lib/cli/web-entry.ts": "",
    "lib/cli/pages-entry.ts": "",
    "lib/web/server/response.ts": "",
    "app/broken.tsx": "",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

test("a failed build tells the reason and leaves nothing, so the next start builds again", async () => {
  const root = await smallProject();
  await expect(buildProduction(root)).rejects.toThrow("app/broken.tsx does not compile");
  expect(await exists(join(root, ".next"))).toBe(false);
  await expect(buildProduction(root)).rejects.toThrow("app/broken.tsx does not compile");
  await rm(join(root, "app/broken.tsx"));
  expect(await buildProduction(root)).toBe("built");
  expect(await buildProduction(root)).toBe("unchanged");
});
