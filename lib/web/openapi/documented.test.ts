import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "@/lib/platform/errors";
import { ADDRESS_LIMIT, scenariosOf } from "@/lib/testing/answers/scenarios";
import { type ExampleService, startExampleService } from "@/lib/testing/answers/world";
import { useService } from "@/lib/testing/service";
import { codesByStatus } from "./operation";
import { OPERATIONS } from "./operations";

useService({ TRUSTED_PROXIES: "1", IP_REQUESTS_PER_MINUTE: String(ADDRESS_LIMIT) });

/** Codes after which a retry makes sense, at a time named by the response. */
const RETRIED = ["RATE_LIMITED", "NO_CODES_AVAILABLE", "SERVICE_UNAVAILABLE"];

let world: ExampleService;

beforeAll(async () => {
  world = await startExampleService();
});
afterAll(() => world.close());

/** Codes whose extra field, the first answer, is sent to a retry only; redeem-closed.test.ts checks it. */
const WITHOUT_A_RETRY: string[] = [
  "METACODE_NOT_FOUND",
  "CAMPAIGN_INACTIVE",
  "CONFLICT",
  "RATE_LIMITED",
  "NO_CODES_AVAILABLE",
];

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  const documented = [...codesByStatus(operation)].flatMap(([status, codes]) =>
    codes.map((code): [ErrorCode, number] => [code, status]),
  );
  const scenarios = scenariosOf(operation);

  test("documents the responses that can be produced, and no others", () => {
    const codes = documented.map(([code]) => code);
    expect(["OK", ...codes].sort()).toEqual([...scenarios.keys()].sort());
  });

  // `expectDocumented` checks every response against its schema and headers.
  test("answers its example with 200", async () => {
    expect((await scenarios.get("OK")?.(world))?.status).toBe(200);
  });

  test.each(documented)(
    "really returns %s with %i, with the message of the example",
    async (code, status) => {
      const reply = await scenarios.get(code)?.(world);
      const { code: given, message } = reply?.body.error ?? {};
      expect([reply?.status, given, message]).toEqual([status, code, operation.refusals[code]]);
      expect(reply?.headers.has("retry-after")).toBe(RETRIED.includes(code));
      const { extra } = operation;
      if (extra?.codes.includes(code) && !WITHOUT_A_RETRY.includes(code))
        expect(reply?.body[extra.name]).toBeTruthy();
    },
  );
});
