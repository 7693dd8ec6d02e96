import { expect, test } from "vitest";
import { progressOf } from "./response";

test.each([
  ["nothing yet", { confirmed: 0, earned: 0 }, [0, 5, 0]],
  ["3 of 5", { confirmed: 3, earned: 0 }, [3, 5, 60]],
  ["5 of 5", { confirmed: 5, earned: 1 }, [5, 10, 0]],
  ["one reversed after a reward", { confirmed: 4, earned: 1 }, [4, 10, 0]],
  ["a lowered threshold: the next confirmation brings it", { confirmed: 7, earned: 0 }, [7, 8, 87]],
  ["below the cap", { confirmed: 7, earned: 1, cap: 2 }, [7, 10, 40]],
  ["at the cap", { confirmed: 12, earned: 2, cap: 2 }, [12, 10, 100]],
])("%s", (_, count, [current, next, percentage]) => {
  expect(progressOf({ threshold: 5, cap: null, ...count })).toEqual({
    current,
    threshold: 5,
    next_reward_at: next,
    percentage,
  });
});

test("29 of 100 is 29%, although its quotient as a double is a little less", () => {
  expect(progressOf({ confirmed: 29, earned: 0, threshold: 100, cap: null }).percentage).toBe(29);
});
