import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "@/lib/errors";
import { ADDRESS_LIMIT, scenariosOf } from "@/lib/testing/answers/scenarios";
import { openWorld, type World } from "@/lib/testing/answers/world";
import { useService } from "@/lib/testing/service";
import { codesByStatus } from "./operation";
import { OPERATIONS } from "./operations";

useService({ TRUSTED_PROXIES: "1", IP_REQUESTS_PER_MINUTE: String(ADDRESS_LIMIT) });

/** Codes after which another try makes sense at a time that the answer names. */
const RETRIED = ["RATE_LIMITED", "NO_CODES_AVAILABLE", "SERVICE_UNAVAILABLE"];

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  const documented = [...codesByStatus(operation)].flatMap(([status, codes]) =>
    codes.map((code): [ErrorCode, number] => [code, status]),
  );
  const scenarios = scenariosOf(operation);

  test("documents the answers that can be brought about, and no other", () => {
    const codes = documented.map(([code]) => code);
    expect(["OK", ...codes].sort()).toEqual([...scenarios.keys()].sort());
  });

  // Every answer on the way is held against its schema and headers by `expectDocumented`.
  test("answers its example with 200", async () => {
    expect((await scenarios.get("OK")?.(world))?.status).toBe(200);
  });

  test.each(documented)("really answers %s with %i, in the words of the example", async (code, status) => {
    const reply = await scenarios.get(code)?.(world);
    const { code: given, message } = reply?.body.error ?? {};
    expect([reply?.status, given, message]).toEqual([status, code, operation.refusals[code]]);
    expect(reply?.headers.has("retry-after")).toBe(RETRIED.includes(code));
    const { extra } = operation;
    if (extra?.codes.includes(code)) expect(reply?.body[extra.name]).toBeTruthy();
  });
});
