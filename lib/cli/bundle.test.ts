import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "@/lib/cli/bundle.mjs";
import { needing } from "@/lib/testing/needing";

/** The children of a process with their names, zombies included. */
async function childrenOf(parent: number): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.filter((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent);
}

const linux = process.platform === "linux";

test.skipIf(!linux)(
  needing(
    "a service bundled at its start keeps no compiler beside it, not even as a zombie",
    linux,
    "no /proc",
  ),
  async () => {
    const bundler = pathToFileURL("lib/cli/bundle.mjs").href;
    const options = { root: process.cwd(), entry: "lib/cli/plan.ts", name: `testing/bundled-${process.pid}` };
    const script = `const { bundle } = await import(${JSON.stringify(bundler)});
      await bundle(${JSON.stringify(options)});
      console.log("bundled");
      setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    await vi.waitFor(async () => expect(await childrenOf(child.pid ?? 0)).toEqual([]), { timeout: 60_000 });
  },
);

test("a process that has used the compiler itself can bundle, too", async () => {
  const bundler = pathToFileURL("lib/cli/bundle.mjs").href;
  const name = `testing/bundled-again-${process.pid}`;
  const options = { root: process.cwd(), entry: "lib/cli/plan.ts", name };
  const script = `const { build } = await import("esbuild");
    await build({ stdin: { contents: "" }, write: false });
    const { bundle } = await import(${JSON.stringify(bundler)});
    console.log(await bundle(${JSON.stringify(options)}));
    process.exit();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [printed] = await once(child.stdout, "data");
  expect(String(printed)).toContain(name);
});

test("the supervisor of a release loads no package: it lives as long as the service", async () => {
  const options = { root: process.cwd(), entry: "lib/cli/start-release.ts" };
  const file = await bundle({ ...options, name: `testing/supervisor-${process.pid}` });
  onTestFinished(() => Promise.all([rm(file), rm(`${file}.map`)]).then(() => undefined));
  const text = await readFile(file, "utf8");
  const imported = [...text.matchAll(/^import .*?"([^"]+)";$|\bimport\("([^"]+)"\)/gm)].map(
    ([, name, later]) => name ?? later,
  );
  expect(imported).toContain("node:cluster");
  expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual([]);
});
