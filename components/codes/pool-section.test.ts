import { expect, test } from "vitest";
import type { PoolView } from "@/lib/contract/pool";
import { noPace } from "./pool-section";

const pool = (assigned: number) => ({ assigned }) as PoolView;

test("a pool without a pace is not said to have assigned nothing, because the figures of the week lag", () => {
  expect(noPace(pool(0))).toBe("None assigned yet");
  expect(noPace(pool(6))).not.toContain("None");
});
