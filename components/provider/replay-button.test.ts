import { expect, test } from "vitest";
import { ActButton } from "@/components/ui/act-button";
import { ConfirmButton } from "@/components/ui/confirm";
import { type EventVerdict, REPLAYABLE, VERDICTS } from "@/lib/contract/provider";
import { ReplayButton } from "./replay-button";

const buttonFor = (verdict: EventVerdict) =>
  ReplayButton({ action: async () => ({}), appId: "1", eventId: "1", verdict });

test("a replay asks before, as it may confirm by an old purchase; one of the sandbox acts at once, and a final event has none", () => {
  const asks = VERDICTS.filter((verdict) => buttonFor(verdict)?.type === ConfirmButton);
  expect(asks).toEqual(REPLAYABLE.filter((verdict) => verdict !== "sandbox"));
  const acts = VERDICTS.filter((verdict) => buttonFor(verdict)?.type === ActButton);
  expect(acts).toEqual(["sandbox"]);
  expect(JSON.stringify(buttonFor("unmatched"))).toContain("may earn a reward");
});
