// Bundles one TypeScript entry of this repository for Node; packages stay where npm put them.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function unchanged(file, bytes) {
  try {
    return Buffer.compare(readFileSync(file), bytes) === 0;
  } catch {
    return false;
  }
}

/** Writes through a rename: a second command that starts meanwhile never reads half a file. */
function place(file, bytes) {
  if (unchanged(file, bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

/**
 * Returns the path of the ES module `.build/<name>.mjs` made from `entry`; throws esbuild's message.
 * @param {{ root: string, entry: string, name: string, inject?: string[] }} options
 * @returns {Promise<string>}
 */
export async function bundle({ root, entry, name, inject = [] }) {
  const { buildSync, stop } = await import("esbuild");
  const file = join(root, ".build", `${name}.mjs`);
  const result = buildSync({
    entryPoints: [entry],
    outfile: file,
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    alias: { "@": root },
    inject,
    sourcemap: true,
    sourcesContent: false,
    jsx: "automatic",
    legalComments: "none",
    logLevel: "silent",
  });
  // esbuild's service process would otherwise stay beside a server for as long as that runs. Stopping it is safe:
  // the call above is synchronous, so no other build is waiting for it.
  await stop();
  for (const output of result.outputFiles) place(output.path, output.contents);
  return file;
}
