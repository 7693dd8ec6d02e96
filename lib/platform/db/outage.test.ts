import { expect, test } from "vitest";
import { isOutage, neverRan } from "@/lib/platform/db/outage";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

test.each([
  ...["ECONNREFUSED", "ENOTFOUND", "55P03", "57014", "57P03", "40001", "P0001"].map(withCode),
  new Error("Failed query", { cause: withCode("ECONNREFUSED") }),
  new Error("timeout exceeded when trying to connect"),
])("a statement that failed with %o surely changed nothing", (error) => {
  expect(neverRan(error)).toBe(true);
});

test.each([
  ...["EPIPE", "ECONNRESET", "ETIMEDOUT", "57P01", "08006", "08007", "40003"].map(withCode),
  new Error("Connection terminated unexpectedly"),
  new Error("Query read timeout"),
  "text",
])("after %o the outcome is unknown", (error) => {
  expect(neverRan(error)).toBe(false);
});

test.each(["25P03", "25P04", "57014", "57P05"])("a time limit of the server, %s, is an outage", (code) => {
  expect(isOutage(withCode(code))).toBe(true);
});
