import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import type { ErrorCode } from "@/lib/platform/errors";
import { forgetSingleton } from "@/lib/platform/singleton";
import type { ExampleService } from "@/lib/testing/answers/world";
import type { ApiReply } from "@/lib/testing/client";
import { MAX_DELIVERY_BYTES } from "@/lib/web/http/provider-endpoint";
import type { Operation } from "@/lib/web/openapi/operation";

/** Produces one response. */
export type Scenario = (world: ExampleService) => Promise<ApiReply>;

/** Responses by their code, each with the scenario that produces it. */
export type Scenarios = [code: ErrorCode | "OK", scenario: Scenario][];

const HOST = "Host: example.test\r\n";

/** The scenarios of the responses that operations share. */
export function commonScenarios(operation: Operation): Scenarios {
  const all: Scenarios = [
    ["OK", (world) => world.send(operation.id)],
    ["METHOD_NOT_ALLOWED", (world) => world.send(operation.id, { method: "DELETE" })],
    ...onTheWire(operation),
  ];
  if (operation.id !== "checkLife")
    all.push(["SERVICE_UNAVAILABLE", (world) => withoutDatabase(() => world.send(operation.id))]);
  // Readiness and liveness read no table, so hiding them plants no fault there.
  if (operation.tag !== "Service" || operation.id === "checkHealth") {
    all.push(["INTERNAL_ERROR", (world) => withHiddenTables(() => world.send(operation.id))]);
  }
  if (operation.scope) all.push(...keyed(operation));
  if (operation.body) all.push(...withBody(operation));
  return all;
}

/** Requests that only raw bytes on a socket can express. */
function onTheWire({ id }: Operation): Scenarios {
  const send = async (world: ExampleService, more: string) => {
    const { path, ask } = world.request(id);
    return world.raw(ask.method ?? "", path, `${ask.method} ${path} HTTP/1.1\r\n${HOST}${more}\r\n`);
  };
  return [
    ["VALIDATION_ERROR", (world) => send(world, HOST)],
    ["EXPECTATION_FAILED", (world) => send(world, "Expect: a-miracle\r\n")],
    ["HEADERS_TOO_LARGE", (world) => send(world, `X-Long: ${"b".repeat(17_000)}\r\n`)],
  ];
}

function keyed({ id }: Operation): Scenarios {
  return [
    ["UNAUTHORIZED", (world) => world.send(id, { key: "mc_live_nobody" })],
    ["FORBIDDEN", (world) => world.send(id, { key: world.narrow })],
    ["RATE_LIMITED", (world) => world.send(id, { key: world.poor })],
  ];
}

function withBody({ id }: Operation): Scenarios {
  return [
    ["VALIDATION_ERROR", (world) => world.send(id, { body: {} })],
    ["PAYLOAD_TOO_LARGE", (world) => world.send(id, { body: { pad: "a".repeat(MAX_DELIVERY_BYTES) } })],
    ["UNSUPPORTED_MEDIA_TYPE", (world) => world.send(id, { headers: { "content-encoding": "gzip" } })],
    ["REQUEST_TIMEOUT", (world) => neverEnding(world, id)],
  ];
}

/** Sends a body that never completes. A fake clock advances, so the test does not wait. */
async function neverEnding(world: ExampleService, id: string): Promise<ApiReply> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { path } = world.request(id);
    let reply: ApiReply | undefined;
    const pending = world
      .raw("POST", path, `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n{`)
      .then((received) => {
        reply = received;
      });
    while (!reply) {
      vi.advanceTimersByTime(100);
      await nextTurn();
    }
    await pending;
    return reply;
  } finally {
    vi.useRealTimers();
  }
}

/** Simulates an outage of the database: the pool is closed, so every statement fails. */
export async function withoutDatabase(work: () => Promise<ApiReply>): Promise<ApiReply> {
  await database().close();
  try {
    return await work();
  } finally {
    forgetSingleton("database");
  }
}

/** Plants a fault: statements find no table and no function. */
export async function withHiddenTables(work: () => Promise<ApiReply>): Promise<ApiReply> {
  const db = database();
  await db.orm.execute(sql`alter schema public rename to hidden`);
  try {
    return await work();
  } finally {
    await db.orm.execute(sql`alter schema hidden rename to public`);
  }
}
