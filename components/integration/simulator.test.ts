import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Outcome } from "@/components/integration/simulator";

type Steps = Parameters<typeof Outcome>[0]["steps"];

const outcome = (...steps: [string, string][]) =>
  renderToStaticMarkup(
    Outcome({ steps: steps.map(([name, state]) => ({ name, state })) as unknown as Steps }),
  );

test("a journey works as a whole only where its reward was claimed", () => {
  expect(outcome(["reward", "done"], ["claim", "done"], ["webhook", "skipped"])).toContain(
    "The whole journey works.",
  );
  expect(outcome(["reward", "skipped"], ["claim", "skipped"])).toContain("Reward and claim were not tried.");
  expect(outcome(["redeem", "failed"], ["claim", "skipped"])).toContain("stopped at the red step");
});
