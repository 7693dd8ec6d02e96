import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { database } from "@/lib/db/client";
import type { ErrorCode } from "@/lib/errors";
import { MAX_DELIVERY_BYTES } from "@/lib/http/provider-endpoint";
import type { Operation } from "@/lib/openapi/operation";
import { forget } from "@/lib/shared";
import type { World } from "@/lib/testing/answers/world";
import type { Reply } from "@/lib/testing/client";

/** Brings one answer about. */
export type Scenario = (world: World) => Promise<Reply>;

/** Answers by their code, each with what brings it about. */
export type Scenarios = [code: ErrorCode | "OK", scenario: Scenario][];

const HOST = "Host: example.test\r\n";

/** How any operation comes to the answers that are not its own. */
export function commonScenarios(operation: Operation): Scenarios {
  const all: Scenarios = [
    ["OK", (world) => world.send(operation.id)],
    ["METHOD_NOT_ALLOWED", (world) => world.send(operation.id, { method: "DELETE" })],
    ["SERVICE_UNAVAILABLE", (world) => withoutDatabase(() => world.send(operation.id))],
    ...onTheWire(operation),
  ];
  // Asking for health touches no table, so no fault of ours can be planted there.
  if (operation.id !== "checkHealth") {
    all.push(["INTERNAL_ERROR", (world) => withHiddenTables(() => world.send(operation.id))]);
  }
  if (operation.scope) all.push(...keyed(operation));
  if (operation.body) all.push(...withBody(operation));
  return all;
}

/** What only bytes on a socket can be. */
function onTheWire({ id }: Operation): Scenarios {
  const send = async (world: World, more: string) => {
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

/** A body whose rest never comes. The clock is turned on instead of waited for. */
async function neverEnding(world: World, id: string): Promise<Reply> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { path } = world.request(id);
    let reply: Reply | undefined;
    const asked = world
      .raw("POST", path, `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n{`)
      .then((given) => {
        reply = given;
      });
    while (!reply) {
      vi.advanceTimersByTime(100);
      await nextTurn();
    }
    await asked;
    return reply;
  } finally {
    vi.useRealTimers();
  }
}

/** As while the database is away: the pool is closed, so no statement gets through. */
export async function withoutDatabase(work: () => Promise<Reply>): Promise<Reply> {
  await database().close();
  try {
    return await work();
  } finally {
    forget("database");
  }
}

/** A planted fault: no table and no function is where the statements look for it. */
export async function withHiddenTables(work: () => Promise<Reply>): Promise<Reply> {
  const db = database();
  await db.orm.execute(sql`alter schema public rename to hidden`);
  try {
    return await work();
  } finally {
    await db.orm.execute(sql`alter schema hidden rename to public`);
  }
}
