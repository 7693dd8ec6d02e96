import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { say } from "@/lib/cli/serve";
import { parseEnv } from "@/lib/platform/env";
import { temporaryFolder } from "@/lib/testing/folder";
import { useService } from "@/lib/testing/service";
import { findAddress, publishAddress } from "./service-address";

vi.mock("node:fs/promises", async (load) => {
  const real = await load<typeof import("node:fs/promises")>();
  return { ...real, rm: vi.fn(real.rm) };
});

vi.mock("node:fs", async (load) => {
  const real = await load<typeof import("node:fs")>();
  return { ...real, writeSync: vi.fn(real.writeSync) };
});

useService();

const URL_4000 = "http://localhost:4000";

/** The settings of a service on port 4000, and of commands whose own environment does not name a port. */
async function onPort4000() {
  const DATA_DIR = await temporaryFolder();
  const { DATABASE_URL } = process.env;
  const command = parseEnv({ DATA_DIR, DATABASE_URL });
  return { DATA_DIR, command, service: parseEnv({ DATA_DIR, DATABASE_URL, PORT: "4000" }) };
}

test("npm run sample prints the port of the running service, even if its own shell sets none", async () => {
  const { DATA_DIR, service } = await onPort4000();
  const unpublish = await publishAddress(service);
  const sample = async () => {
    const env = { ...process.env, DATA_DIR, APP_URL: "", LANDING_URL: "", PORT: "" };
    const args = ["lib/cli/run.mjs", "sample", "--json", "--codes", "1"];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
  };
  const beside = await sample();
  expect(beside).toMatchObject({ base_url: `${URL_4000}/api`, landing_url: URL_4000 });
  expect(beside.providers.revenuecat.url).toContain(`${URL_4000}/api/providers/revenuecat/`);
  await unpublish();
  expect(await sample()).toMatchObject({ base_url: "http://localhost:3000/api" });
});

test("a killed service, or one on another database, is ignored", async () => {
  const { DATA_DIR, command, service } = await onPort4000();
  await publishAddress(service);
  expect(await findAddress(command)).toEqual({ APP_URL: URL_4000, LANDING_URL: URL_4000 });
  expect(await findAddress({ ...command, DATABASE_URL: "postgres://localhost/other" })).toBeUndefined();
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const file = join(DATA_DIR, "service.json");
  const stored = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...stored, pid: child.pid }));
  expect(await findAddress(command)).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await findAddress(command)).toBeUndefined();
});

test("a data folder that cannot be written does not stop the service", async () => {
  const file = join(await temporaryFolder(), "a-file");
  await writeFile(file, "");
  const unpublish = await publishAddress(parseEnv({ DATA_DIR: join(file, "data") }));
  await expect(unpublish()).resolves.toBeUndefined();
});

test("a data folder that has become read-only does not keep the service from finishing its requests", async () => {
  const unpublish = await publishAddress((await onPort4000()).service);
  vi.mocked(rm).mockRejectedValueOnce(Object.assign(new Error("read-only"), { code: "EROFS" }));
  await expect(unpublish()).resolves.toBeUndefined();
});

test("a line that finds no room on a full disk does not end the process that says it", () => {
  vi.mocked(writeSync).mockImplementationOnce(() => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  say("A web process ended");
  expect(vi.mocked(writeSync)).toHaveBeenCalledWith(2, "A web process ended\n");
});
