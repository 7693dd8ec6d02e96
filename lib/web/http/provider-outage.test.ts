import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { POST } from "@/app/api/providers/[provider]/[connectionId]/route";
import { database } from "@/lib/platform/db/client";
import { completeEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { MAX_SPOOLED, spoolFolder } from "@/lib/program/confirmations/spool";
import { type ConnectionRecord, connectionCache } from "@/lib/program/connections/find";
import { recorded } from "@/lib/testing/provider-events/recorded";

const ID = "00000000-0000-7000-8000-000000000001";
const APP = {
  id: ID,
  name: "Test",
  sandbox: false,
  appleAppId: null,
  androidPackage: null,
  iosBundleId: null,
  landingDomain: null,
};
const RECORD: ConnectionRecord = {
  id: ID,
  provider: "revenuecat",
  secret: "value",
  former: null,
  signingSecret: null,
  ownNames: null,
  webPurchases: false,
  app: APP,
  workspaceId: ID,
};

beforeAll(() => {
  // No server listens on port 1, so every statement fails as during a database outage.
  process.env.DATABASE_URL = "postgres://user@127.0.0.1:1/nothing";
  process.env.LOG_LEVEL = "silent";
  process.env.DATA_DIR = mkdtempSync(join(tmpdir(), "outage-"));
});

afterAll(() => database().close());

async function deliver() {
  const request = new Request("http://localhost/api/providers/revenuecat/x", {
    method: "POST",
    headers: { authorization: "value" },
    body: JSON.stringify(recorded("initial_purchase")),
  });
  return POST(request, { params: Promise.resolve({ provider: "revenuecat", connectionId: ID }) });
}

test.each([
  ["that is unknown here", [], () => connectionCache().forget(ID)],
  ["that is known here", ["json"], () => connectionCache().get(ID, async () => RECORD)],
])("without a database a delivery to a connection %s is 503, and spooled: %j", async (_, files, prepare) => {
  await prepare();
  const response = await deliver();
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect((await response.json()).error.code).toBe("SERVICE_UNAVAILABLE");
  expect(spooled()).toEqual(files);
});

test.each([
  [
    "the folder of the spool is a file",
    () => writeFileSync(spoolFolder(), ""),
    /^a delivery was not spooled while/,
  ],
  [
    "the spool is full",
    () => {
      mkdirSync(spoolFolder());
      for (let n = 0; n < MAX_SPOOLED; n++) writeFileSync(join(spoolFolder(), `${ID}-${n}.json`), "");
    },
    /^a delivery was not spooled: too many wait/,
  ],
])("without a database a delivery is 503 and an error in the log where %s", async (_, fill, reason) => {
  completeEnv({ DATA_DIR: mkdtempSync(join(tmpdir(), "outage-")) });
  fill();
  await connectionCache().get(ID, async () => RECORD);
  const errors = vi.spyOn(log(), "error");
  onTestFinished(() => errors.mockRestore());
  const response = await deliver();
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  const lines = errors.mock.calls.map((call) => call.at(-1));
  expect(lines).toEqual([expect.stringMatching(reason), "request failed"]);
});

const spooled = () => {
  const { DATA_DIR = "" } = process.env;
  return readdirSync(DATA_DIR, { recursive: true })
    .map(String)
    .filter((name) => name.includes("."))
    .map((name) => name.split(".").at(-1));
};
