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
  // Without esbuild's worker thread, its process is a child of this thread, which waits for its end. The worker thread
  // would stop first and leave a zombie for as long as a server runs.
  process.env.ESBUILD_WORKER_THREADS = "0";
  const { buildSync } = await import("esbuild");
  // The worker thread of an esbuild that is already loaded inherits the variable, and would never answer with it.
  delete process.env.ESBUILD_WORKER_THREADS;
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
  for (const output of result.outputFiles) place(output.path, output.contents);
  return file;
}
