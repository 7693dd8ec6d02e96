import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { assertNotRunning, BUILD_STAMP, noteRunning } from "@/lib/cli/build-stamp";
import { buildProduction, bundleCommands } from "@/lib/cli/production";
import { temporaryFolder } from "@/lib/testing/folder";
import { bundleForChild } from "@/lib/testing/processes/child";

const run = promisify(execFile);

/** Stands in for Next: leaves a file behind, fails on one of an earlier build, and fails while the sources say so. */
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

test("the build that a running service reads is not replaced", async () => {
  const root = await smallProject();
  await rm(join(root, "app/broken.tsx"));
  await buildProduction(root);
  const service = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1_000)"]);
  const ended = once(service, "exit");
  onTestFinished(() => void service.kill("SIGKILL"));
  await noteRunning(root, service.pid);
  expect(await buildProduction(root)).toBe("unchanged");
  await writeFile(join(root, "app/changed.tsx"), "");
  await expect(buildProduction(root)).rejects.toThrow(`the service of process ${service.pid} runs the build`);
  expect(await exists(join(root, BUILD_STAMP))).toBe(true);
  service.kill("SIGKILL");
  await ended;
  await rm(join(root, ".next/part"));
  expect(await buildProduction(root)).toBe("built");
});

test("a build ends with the process that it is for, and does not write beside the next one", async () => {
  const root = await smallProject();
  const next = `require("node:fs").writeFileSync(".next/pid", String(process.pid)); setInterval(() => {}, 1_000);`;
  await writeFile(join(root, "node_modules/next/dist/bin/next"), next);
  const build = spawn(process.execPath, [await bundleForChild("lib/cli/build.ts")], { cwd: root });
  const written = () => readFile(join(root, ".next/pid"), "utf8").then(Number, () => 0);
  const pid = await vi.waitUntil(written, 60_000);
  build.kill("SIGTERM");
  expect((await once(build, "exit"))[1]).toBe("SIGTERM");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 60_000);
});

test("on Windows, which tells no time of a start, no other process passes for an earlier service", async () => {
  const root = await temporaryFolder();
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  Object.defineProperty(process, "platform", { value: "win32" });
  await noteRunning(root, process.ppid);
  await assertNotRunning(root);
});

/** Commands for work on the repository: they build, test or measure. */
const FOR_DEVELOPERS = /^(package|dev|bench|chaos|check|drill|lighthouse|screenshots|test(:\w+)?)$/;

test("a release without npm has every command that guides and messages give to operators, and names each in its own form", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, ".build/release"), { recursive: true });
  for (const file of await bundleCommands(process.cwd())) await copyFile(file, join(folder, file));
  await copyFile("lib/cli/release/server.mjs", join(folder, "server.js"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));

  const guides = (await readdir("docs/guides")).map((file) => `docs/guides/${file}`);
  const texts = await Promise.all(["README.md", ...guides].map((file) => readFile(file, "utf8")));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name = ""]) => name),
  );
  const commands = [...new Set(named)].filter((name) => !FOR_DEVELOPERS.test(name));
  expect(commands).toEqual(expect.arrayContaining(["backup", "restore", "move", "void-codes", "distribute"]));
  const env = { ...process.env, DATABASE_URL: "postgres://127.0.0.1:1/none", AUTH_SECRET: "" };
  const failure = (command: string, ...args: string[]) =>
    run(process.execPath, ["server.js", command, ...args], { cwd: folder, env: { ...env, PATH: "" } }).then(
      () => "",
      ({ stderr }: { stderr: string }) => stderr,
    );
  const incomplete = /^$|Unknown command|Cannot find/;
  for (const command of commands) expect(await failure(command)).not.toMatch(incomplete);
  await writeFile(join(folder, ".build/release/planted.mjs"), 'import "a-package-that-is-not-there";');
  expect(await failure("planted")).toMatch(incomplete);
  expect(await failure("backup")).toBe("Usage: node server.js backup <new folder>\n");
  expect(await failure("move")).toMatch(/^Usage: node server.js move <from> <to> \[--while-running\]$/m);
});
