import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { JourneyOutcome } from "@/components/integration/simulator";

type Steps = Parameters<typeof JourneyOutcome>[0]["steps"];

const outcome = (...steps: [string, string][]) =>
  renderToStaticMarkup(
    JourneyOutcome({ steps: steps.map(([name, state]) => ({ name, state })) as unknown as Steps }),
  );

test("a journey works as a whole only where its reward was claimed", () => {
  expect(outcome(["reward", "done"], ["claim", "done"], ["webhook", "skipped"])).toContain(
    "The whole journey works.",
  );
  expect(outcome(["reward", "skipped"], ["claim", "skipped"])).toContain("Reward and claim were not tried.");
  expect(outcome(["redeem", "failed"], ["claim", "skipped"])).toContain("stopped at the red step");
});
