import { expect } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/lib/platform/errors";
import type { ApiReply } from "@/lib/testing/client";

/** Expects the headers and the error body that every response below `/api` must have. */
export function expectFrame({ status, headers, body }: ApiReply): void {
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers.get(`x-ratelimit-${name}`), name).toMatch(/^\d+$/);
  }
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-expose-headers")).toContain("X-RateLimit-Remaining");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  if (status < 400 || body === undefined) return;
  expect(headers.get("content-type")).toContain("application/json");
  expect(Object.keys(body.error).sort()).toEqual(["code", "message", "request_id"]);
  expect(ERROR_STATUS[body.error.code as ErrorCode]).toBe(status);
  expect(body.error.message.length).toBeGreaterThan(5);
  expect(body.error.request_id).toBe(headers.get("x-request-id"));
}
