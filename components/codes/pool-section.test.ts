import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PoolView } from "@/lib/contract/pool";
import { noPace, PoolFacts } from "./pool-section";

const pool = (assigned: number) => ({ assigned }) as PoolView;

test("a pool without a pace is not said to have assigned nothing, because the figures of the week lag", () => {
  expect(noPace(pool(0))).toBe("None assigned yet");
  expect(noPace(pool(6))).not.toContain("None");
});

test("a single person in line is one person, several are people", () => {
  const facts = (inLine: number) =>
    renderToStaticMarkup(
      PoolFacts({ pool: { ...pool(0), inLine, free: 0, lowStock: 50, confirmed: 0 } as PoolView }),
    );
  expect(facts(1)).toContain("1 person in line");
  expect(facts(2)).toContain("2 people in line");
});
