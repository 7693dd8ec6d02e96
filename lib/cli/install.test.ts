import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeEach, expect, test, vi } from "vitest";
import { install } from "@/lib/cli/install.mjs";
import { temporaryFolder } from "@/lib/testing/folder";

const run = promisify(execFile);

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

/** A project with one package for running and one for tests, both as archives, so that no registry is needed. */
async function makeProject() {
  const root = await temporaryFolder();
  const write = async (file: string, content: object) => {
    await mkdir(join(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), JSON.stringify(content));
  };
  const manifest = {
    name: "project",
    dependencies: { needed: "file:needed.tgz" },
    devDependencies: { tool: "file:tool.tgz" },
  };
  await write("package.json", manifest);
  for (const name of ["needed", "tool"]) {
    await write(`${name}/package/package.json`, { name, version: "1.0.0" });
    await write(`${name}/package/dist/index.js.map`, { version: 3 });
    await write(`${name}/package/dist/sea.map`, {});
    await run("tar", ["--create", "--gzip", "--file", `${name}.tgz`, "--directory", name, "package"], {
      cwd: root,
    });
  }
  await run("npm", ["install", "--package-lock-only", "--offline", "--no-audit"], { cwd: root });
  const installed = () => ["needed", "tool"].filter((name) => existsSync(join(root, "node_modules", name)));
  return { root, manifest, write, installed };
}

/** Fails when npm is called. */
async function withoutNpm(work: () => Promise<void>): Promise<void> {
  vi.stubEnv("PATH", "");
  try {
    await work();
  } finally {
    vi.unstubAllEnvs();
  }
}

test("a start installs what running needs, without source maps, and tests add their tools without removing anything", async () => {
  const { root, installed } = await makeProject();
  await install(root, { tools: false });
  expect(installed()).toEqual(["needed"]);
  expect(readdirSync(join(root, "node_modules/needed/dist"))).toEqual(["sea.map"]);
  const used = join(root, "node_modules/.in-use");
  await writeFile(used, "a service runs from this folder");
  await install(root, { tools: true });
  expect(installed()).toEqual(["needed", "tool"]);
  expect(existsSync(used)).toBe(true);
  await withoutNpm(() => install(root, { tools: false }));
  await withoutNpm(() => install(root, { tools: true }));
  expect(installed()).toEqual(["needed", "tool"]);
});

test("a start after tests keeps the tools; a new script installs nothing, a new version does", async () => {
  const { root, manifest, write, installed } = await makeProject();
  await install(root, { tools: true });
  expect(installed()).toEqual(["needed", "tool"]);
  await withoutNpm(() => install(root, { tools: false }));
  await write("package.json", { ...manifest, scripts: { start: "node start.js" } });
  await withoutNpm(() => install(root, { tools: false }));
  const lock = await readFile(join(root, "package-lock.json"), "utf8");
  await writeFile(join(root, "package-lock.json"), lock.replaceAll('"1.0.0"', '"1.0.1"'));
  await withoutNpm(() => expect(install(root, { tools: false })).rejects.toThrow());
});

const WITH_TOOLS = new RegExp(
  /WITH_TOOLS = \/(.+)\/;/.exec(readFileSync("lib/cli/run.mjs", "utf8"))?.[1] ?? "",
);

/** The packages of `devDependencies` alone that a command may import. */
async function toolsOf(entry: string): Promise<string[]> {
  const { devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": process.cwd() },
    jsx: "automatic",
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return Object.keys(devDependencies).filter((name) =>
    imports.some((path) => path === name || path.startsWith(`${name}/`)),
  );
}

/** Files beside the commands that only those with tools import. */
const PARTS = /^chromium$/;

const COMMANDS = readdirSync("lib/cli")
  .filter((file) => /^[a-z-]+\.ts$/.test(file))
  .map((file) => file.slice(0, -3));

test("commands for running the service import no package that only tests have", async () => {
  expect(COMMANDS).toContain("start");
  const wrong: Record<string, string[]> = {};
  for (const command of COMMANDS.filter((name) => !WITH_TOOLS.test(name) && !PARTS.test(name))) {
    const tools = await toolsOf(`lib/cli/${command}.ts`);
    if (tools.length > 0) wrong[command] = tools;
  }
  expect(wrong).toEqual({});
});

test.each([
  "README.md",
  "CONTRIBUTING.md",
  "docs/guides/quickstart.md",
  "docs/guides/self-hosting.md",
  "lib/cli/run.mjs",
  "lib/cli/release/server.mjs",
])("%s names the versions of Node that `engines` promises", async (file) => {
  const { engines } = JSON.parse(await readFile("package.json", "utf8"));
  const [, older, newer] = /^\^([\d.]+) \|\| >=([\d.]+)$/.exec(engines.node) ?? [];
  expect(await readFile(file, "utf8")).toContain(` ${older}+ or ${newer}+`);
});

test.each([
  ["lib/cli/run.mjs", "(none)"],
  ["lib/cli/release/server.mjs", "start"],
])("a Node that cannot build or serve is refused in one line by %s", async (file, command) => {
  const started = (version: string) => {
    const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
      await import(${JSON.stringify(pathToFileURL(file).href)});`;
    return run(process.execPath, ["--input-type=module", "--eval", script]);
  };
  for (const version of ["18.20.8", "20.18.3", "21.7.3", "22.11.0"]) {
    const stderr = `Metacode needs Node.js 20.19+ or 22.12+; this is ${version}.\n`;
    await expect(started(version)).rejects.toMatchObject({ code: 1, stdout: "", stderr });
  }
  for (const version of ["20.19.0", "22.12.0", "23.0.0", "24.0.0"])
    await expect(started(version)).rejects.toMatchObject({ stderr: `Unknown command: ${command}\n` });
});
