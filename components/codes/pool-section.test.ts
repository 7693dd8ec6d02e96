import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { BatchView } from "@/lib/contract/batch";
import type { PoolView } from "@/lib/contract/pool";
import { CodeTable } from "./code-table";
import { BatchBadge } from "./labels";
import { noPace, PoolFacts } from "./pool-section";

const pool = (assigned: number) => ({ assigned }) as PoolView;
const ERASED = `erased:${"x".repeat(43)}`;

test("a pool without a pace is not said to have assigned nothing, because the figures of the week lag", () => {
  expect(noPace(pool(0))).toBe("None assigned yet");
  expect(noPace(pool(6))).not.toContain("None");
});

test("codes within the safety margin are too close to expiry, and expired only after it", () => {
  const badge = (ms: number) => {
    const expiresAt = new Date(Date.now() + ms);
    return renderToStaticMarkup(
      BatchBadge({ batch: { state: "ready", expired: 5, free: 0, reserved: 0, expiresAt } }),
    );
  };
  expect(badge(3_600_000)).toContain("Too close to expiry");
  expect(badge(-1_000)).toContain("Expired");
  const facts = { ...pool(0), expired: 5, free: 0, lowStock: 50, confirmed: 0 } as PoolView;
  expect(renderToStaticMarkup(PoolFacts({ pool: facts }))).toContain("5 expired or too close to expiry");
});

test("a single person in line is one person, several are people", () => {
  const facts = (inLine: number) =>
    renderToStaticMarkup(
      PoolFacts({ pool: { ...pool(0), inLine, free: 0, lowStock: 50, confirmed: 0 } as PoolView }),
    );
  expect(facts(1)).toContain("1 person in line");
  expect(facts(2)).toContain("2 people in line");
  expect(facts(10_000)).toContain("10,000 or more people in line");
});

test("a batch is not used up while codes of it are set aside", () => {
  const badge = (reserved: number) =>
    renderToStaticMarkup(
      BatchBadge({ batch: { state: "drained", expired: 0, free: 0, reserved, expiresAt: null } }),
    );
  expect(badge(2)).toContain("Set aside");
  expect(badge(0)).toContain("Used up");
});

test("a free code of a batch that expires too soon is not called free, and an erased user has no pseudonym", () => {
  const status = (expired: number) => {
    const counts = { free: 5 - expired, expired, quarantined: 0, reserved: 0 };
    const expiresAt = new Date(Date.now() + 3_600_000);
    const batch = { kind: "one_time", state: "ready", ...counts, expiresAt } as BatchView;
    const code = { id: "1", masked: "…1", useNumber: 0, assignedAt: null, redeemedByUid: ERASED };
    return renderToStaticMarkup(CodeTable({ rows: [{ ...code, status: "available" }], batch }));
  };
  expect(status(0)).toMatch(/Free.*>Erased user</);
  expect(status(5)).toContain("Too close to expiry");
  expect(status(5)).not.toContain("Free");
});
