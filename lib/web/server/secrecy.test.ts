import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { table, unknown } from "@/lib/cli/routes";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { requestLog, users } from "@/lib/platform/db/schema";
import { exchange } from "@/lib/testing/http/raw-http";
import { captureLogLines } from "@/lib/testing/log";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createHttpServer } from "@/lib/web/server/http-server";
import { redirectConsole } from "@/lib/web/server/pages-process";

useService({ LOG_LEVEL: "trace" });

let server: Server;
let port: number;

beforeAll(async () => {
  server = createHttpServer({
    table,
    unknown,
    // As a proxy to a page process that has died: its error repeats the address.
    pages: async ({ url }) => {
      throw new TypeError(`Invalid URL: ${url}`, { cause: new Error(`connect ECONNREFUSED for ${url}`) });
    },
    hops: 0,
    draining: () => false,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

/** Targets with a key in the wrong place: known and unknown routes, pages, and what is refused before any of them. */
const targetsOf = (key: string): string[] => [
  `/api/${key}`,
  `/api/webhooks/${key}`,
  `/api/webhooks/${key}/deliveries`,
  `/api/providers/revenuecat/${key}`,
  `/api/referrer/${key}`,
  `/api/referrer?api_key=${key}`,
  `/r/${key}`,
  `/r/${key}/click`,
  `/${key}`,
  `/dashboard/apps/${key}?key=${key}`,
  `/_next/data/${key}/api/referrer.json`,
  `/_next/static/${key}.js`,
  `//${key}`,
  `/api/${key}/%zz`,
  `/../${key}`,
  `/api/${key}\\`,
  `/${key}#${key}`,
];

test("a key in an address reaches no log line, no stored request and no answer, however the request ends", async () => {
  const lines = captureLogLines();
  const { key } = await makeTenant();
  const secret = key.slice(12, -4);
  const answers: string[] = [];
  for (const target of targetsOf(key)) {
    for (const method of ["GET", "POST", "TRACE"]) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: ${port}.example\r\nX-API-Key: ${key}\r\n`;
      const bytes = `${head}Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
      const { status, headers, body } = await exchange(port, bytes);
      expect(status, `${method} ${target}`).toBeGreaterThanOrEqual(200);
      answers.push(JSON.stringify([headers, body]));
    }
  }
  await flushRequests();
  const stored = JSON.stringify(await database().orm.select().from(requestLog));
  expect(stored).toContain("/api/webhooks/…");
  expect(stored).not.toContain(secret);
  expect(lines.join("")).toContain("ECONNREFUSED");
  expect(lines.join("")).not.toContain(secret);
  expect(answers.join("")).not.toContain(secret);
});

test("an error that the framework prints on the console is described like any other", async () => {
  const { error, warn } = console;
  onTestFinished(() => void Object.assign(console, { error, warn }));
  const captured = captureLogLines();
  redirectConsole();
  const account = { id: randomUUID(), email: "marker@example.com", name: "Ann" };
  await database().orm.insert(users).values(account);
  const failure = await database()
    .orm.insert(users)
    .values(account)
    .catch((error: unknown) => error);
  const printed = console;
  printed.error(" \u2a2f", failure);
  printed.warn(`an action with mc_live_${"a1".repeat(19)} is unknown`);
  const [first = "", second = ""] = captured;
  expect(JSON.parse(first)).toMatchObject({ level: 50, err: { type: "DrizzleQueryError", code: "23505" } });
  expect(JSON.parse(second)).toMatchObject({
    level: 40,
    err: { message: expect.stringContaining("is unknown") },
  });
  expect(captured).toHaveLength(2);
  expect(captured.join("")).not.toMatch(/marker|insert into|a1a1/);
});
