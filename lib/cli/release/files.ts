import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

interface Tracer {
  nodeFileTrace(
    entries: string[],
    options: { base: string; ignore: string[] },
  ): Promise<{ fileList: Set<string> }>;
}

/** Compilers, development servers and documents that Next's code refers to but production never loads. */
const NEVER_LOADED = [
  "node_modules/@next/swc*/**",
  "node_modules/next/dist/build/webpack/**",
  "node_modules/next/dist/compiled/{@babel,babel,babel-packages,next-devtools,terser,webpack}/**",
  "node_modules/next/dist/compiled/next-server/*.dev.js",
  "node_modules/next/dist/docs/**",
];

/** Files that are read by their path below node_modules instead of being imported; Next resolves its own as it starts. */
const READ_BY_PATH = [
  /^next\/dist\/compiled\/webpack\/[\w-]+\.js(on)?$/,
  /^next\/dist\/compiled\/@babel\/runtime\/package\.json$/,
  /^geist\/dist\/fonts\/geist-mono\/GeistMono-SemiBold\.ttf$/,
  /^@fontsource\/[\w-]+\/files\/[\w-]+-700-normal\.woff$/,
];

const PACKAGES = "node_modules/";

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** The files that Next found when it built the pages. Its lists name them relative to the folder of the list. */
async function filesOfPages(root: string): Promise<string[]> {
  const build = join(root, ".next");
  const lists = (await filesBelow(build)).filter((file) => file.endsWith(".nft.json"));
  const found = await Promise.all(
    lists.map(async (list) => {
      const { files } = JSON.parse(await readFile(join(build, list), "utf8")) as { files: string[] };
      return files.map((file) => relative(root, resolve(build, dirname(list), file)));
    }),
  );
  return found.flat();
}

async function filesReadByPath(root: string): Promise<string[]> {
  const folders = [
    "next/dist/compiled/webpack",
    "next/dist/compiled/@babel/runtime",
    "geist/dist/fonts/geist-mono",
    "@fontsource",
  ];
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await filesBelow(join(root, PACKAGES, folder))).map((file) => join(folder, file)),
    ),
  );
  const named = (file: string) => READ_BY_PATH.some((pattern) => pattern.test(file.replaceAll("\\", "/")));
  return found
    .flat()
    .filter(named)
    .map((file) => join(PACKAGES, file));
}

/**
 * The files of packages that a release needs, relative to `root`: those that the bundles (`entries`) import, those that the
 * built pages import, and those that are read by path.
 */
export async function packageFiles(root: string, entries: string[]): Promise<string[]> {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft") as Tracer;
  const [{ fileList }, pages, read] = await Promise.all([
    nodeFileTrace(
      entries.map((entry) => join(root, entry)),
      { base: root, ignore: NEVER_LOADED },
    ),
    filesOfPages(root),
    filesReadByPath(root),
  ]);
  const files = new Set([...fileList, ...pages, ...read].filter((file) => file.startsWith(PACKAGES)));
  return [...files].sort();
}
