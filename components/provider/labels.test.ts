import { expect, test } from "vitest";
import { VERDICT_LABELS } from "./labels";

test("the outcome of a further purchase does not say that a referral counts, which a refund may have reversed", () => {
  const { why } = VERDICT_LABELS.already_confirmed;
  expect(why).not.toContain("counts");
  expect(why).toContain("stays reversed");
});
