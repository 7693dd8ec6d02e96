import { expect, test } from "vitest";
import { assertConnections } from "@/lib/cli/connections";
import { parseEnv } from "@/lib/env";

const check = (processes: number, given: Record<string, string>) => () =>
  assertConnections(parseEnv(given), processes);

test("web processes that would use up the embedded server's connections are refused in one line", () => {
  const line = /^[^\n]*DATABASE_POOL_SIZE[^\n]*$/;
  expect(check(10, { DATABASE_POOL_SIZE: "10" })).toThrow(line);
  expect(check(12, {})).toThrow(/WEB_PROCESSES/);
  expect(check(1, { DATABASE_POOL_SIZE: "91" })).toThrow(line);
  for (const [processes, size] of [
    [9, "10"],
    [1, "90"],
    [4, "8"],
  ] as const) {
    expect(check(processes, { DATABASE_POOL_SIZE: size })).not.toThrow();
  }
});

test("a database of one's own may have as many as it likes", () => {
  expect(check(64, { DATABASE_POOL_SIZE: "200", DATABASE_URL: "postgres://db/x" })).not.toThrow();
});
