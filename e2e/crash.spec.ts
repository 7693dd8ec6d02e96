import { availableParallelism, loadavg } from "node:os";
import { expect, test } from "playwright/test";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";
import { createOnCluster, nodesOf } from "@/lib/testing/database/cluster";
import { dropDatabase } from "@/lib/testing/database/template";
import { median, seededRandom } from "@/lib/testing/numbers";
import { check } from "./crash/checker";
import { strikeAlternately } from "./crash/faults";
import { figures, longest, recoveries } from "./crash/figures";
import { readFinal, shrinkAndroid } from "./crash/final";
import { RedeemLoad } from "./crash/load";
import { descendants, survivors } from "./crash/processes";
import { TestedService } from "./crash/service";

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

const KILLS = setting("CRASH_KILLS", 5);
const CODES = setting("CRASH_CODES", 2_000 * KILLS);
const ANDROID_CODES = 40 * KILLS;
const CONNECTIONS = setting("CRASH_CONNECTIONS", 16);
const PAUSE_MS = setting("CRASH_PAUSE_MS", 20);
const SEED = setting("CRASH_SEED", Math.floor(Math.random() * 1_000_000));

/** Maximum milliseconds from the kill to the first response, on an otherwise idle machine. */
const ANSWERS_AGAIN = { server: 10_000, database: 10_000 };
const LONGEST_REQUEST = 5_000;

/** Milliseconds of the first start on an idle machine. */
const FIRST_START = 6_000;

/** A share is at most 100 units and is refilled at half of that, so a process can hold this many when it dies. */
const SHARE = 150;

/** Characters of the service's log that a failed test prints. */
const LOG_TAIL = 6_000;

/** In sequence on one data folder, because later tests need the data of the first. */
test.describe.configure({ mode: "serial" });

let service: TestedService;
let sample: SampleWorkspace;
let metacode: string;
let firstStart = 0;
let dropCluster = async () => undefined as unknown;

async function ask(path: string, body: object) {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": sample.api_key },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** The settings of a service on a cluster that is still empty, where `CITUS_URL` names one. */
async function clusterSettings(): Promise<Record<string, string>> {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) return {};
  const nodes = await nodesOf(CITUS_URL);
  const name = `metacode_crash_${Date.now()}`;
  dropCluster = () => dropDatabase({ nodes }, name);
  return { DATABASE_URL: await createOnCluster(nodes, name), SHARDING: "citus" };
}

const redeemAgain = () => ask("referee-redeem", { referee_uid: "referee-0", metacode, platform: "android" });

test.beforeAll(async () => {
  service = await TestedService.make(2, await clusterSettings());
  const begin = performance.now();
  service.launch();
  await service.ready();
  firstStart = performance.now() - begin;
  sample = await service.sample(CODES);
  await shrinkAndroid(await service.databaseUrl(), sample, ANDROID_CODES);
  metacode = (await ask("referrer", { uid: "the referrer" })).body.metacode;
});

test.afterEach(() => {
  const { status, expectedStatus } = test.info();
  if (status !== expectedStatus) process.stderr.write(`${service.log().slice(-LOG_TAIL)}\n`);
});

test.afterAll(async () => {
  await service.remove();
  await dropCluster();
});

test("kill -9 of server and database under load assigns no code twice and loses none", async () => {
  const load = new RedeemLoad({
    port: service.port,
    key: sample.api_key,
    metacode,
    connections: CONNECTIONS,
    pauseMs: PAUSE_MS,
    android: ANDROID_CODES,
  });
  const faults = await strikeAlternately(service, load, KILLS, seededRandom(SEED));
  expect(await load.untilEmpty()).toBe(true);
  await load.stop();
  // The limits grow with the load per core on an overloaded machine, and with the time of the first start on a slow one.
  const crowd = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism(), firstStart / FIRST_START);
  const { attempts } = load;
  const deaths = faults.length * 2 + 2;
  const findings = check(attempts, await readFinal(await service.databaseUrl(), sample), deaths * SHARE);
  process.stdout.write(`crash test: ${figures(attempts, faults, findings, SEED)}\n`);
  expect(findings.slice(0, 20)).toEqual([]);
  expect(longest(attempts)).toBeLessThan(LONGEST_REQUEST * crowd);
  // Only the killed process ended, because no error ends a process.
  expect(service.log().match(/Web process \d+ ended/g)).toHaveLength(1);
  for (const [target, limit] of Object.entries(ANSWERS_AGAIN)) {
    if (target === "database" && !service.isEmbedded) continue;
    const all = recoveries(faults, target as keyof typeof ANSWERS_AGAIN);
    expect(median(all)).toBeLessThanOrEqual(limit * crowd);
  }
});

test("kill -9 of the server leaves no process behind", async () => {
  const before = descendants(service.pid);
  expect(before.length).toBeGreaterThan(service.isEmbedded ? 3 : 1);
  await service.kill();
  await expect.poll(() => survivors(before), { timeout: 60_000 }).toEqual([]);
});

test("kill -9 of npm leaves no process behind either", async () => {
  service.launch(["npm", "start"]);
  await service.ready();
  expect(service.log()).not.toContain("Building");
  const before = descendants(service.pid);
  await service.kill();
  await expect.poll(() => survivors(before), { timeout: 60_000 }).toEqual([]);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`the next start has the data, and ${signal} ends everything with code 0`, async () => {
    service.launch();
    await service.ready();
    const again = await redeemAgain();
    expect(again.body.redemption.code).toEqual(expect.any(String));
    const before = descendants(service.pid);
    expect(await service.end(signal)).toBe(0);
    await expect.poll(() => survivors(before), { timeout: 60_000 }).toEqual([]);
  });
}
