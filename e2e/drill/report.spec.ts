import { expect, test } from "playwright/test";
import { report } from "./report";
import { Timeline } from "./timeline";

const call = (status: number, name = "POST /referrer of ann") => ({ name, status, good: status === 200 });

test("an outage is the longest time without a good answer, and acknowledged confirmations do not end it", () => {
  let now = 0;
  const timeline = new Timeline(() => now);
  const at = (time: number, ...rest: Parameters<typeof call>) => {
    now = time;
    timeline.note(call(...rest));
  };
  at(100, 200);
  at(2_000, 503);
  at(3_000, 200, "the confirmation of ann");
  at(4_100, 200);
  at(5_000, 200);
  expect(timeline.outageMs()).toBe(4_000);
  expect(timeline.answeredSince(5_000)).toBe(false);
  expect([...timeline.failures]).toEqual([["POST /referrer 503", 1]]);
  now = 10_000;
  expect(timeline.outageMs()).toBe(5_000);
  timeline.end();
  now = 60_000;
  expect(timeline.outageMs()).toBe(5_000);
});

const figures = (outage: number, failed: number) => ({
  outageMs: () => outage,
  failed,
  failures: new Map([["POST /referrer 503", failed]]),
});

test("targets that are met and missed are printed, and misses and violations fail the drill", () => {
  const met = report("a", figures(19_960, 3), [], { outageS: 20 });
  expect(met.line).toBe(
    "a: outage 20.0 s (at most 20 s: met); failed calls 3; codes twice 0; codes lost 0; webhooks lost 0",
  );
  expect(met.faults).toEqual([]);
  const missed = report("b", figures(20_100, 1), ["double: X was assigned twice", "stranded: y"], {
    outageS: 20,
    failed: 0,
  });
  expect(missed.line).toContain(
    "outage 20.1 s (at most 20 s: MISSED); failed calls 1 (at most 0: MISSED); codes twice 1",
  );
  expect(missed.faults).toEqual([
    "b: double: X was assigned twice",
    "b: stranded: y",
    "b: the outage missed its target",
    "b: calls failed (1 x POST /referrer 503)",
  ]);
});
