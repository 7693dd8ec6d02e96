import { expect, test } from "vitest";
import { ActButton } from "@/components/ui/act-button";
import { ConfirmButton } from "@/components/ui/confirm";
import { type EventVerdict, VERDICTS } from "@/lib/contract/provider";
import { ReplayButton } from "./replay-button";

const buttonFor = (verdict: EventVerdict) =>
  ReplayButton({ action: async () => ({}), appId: "1", eventId: "1", verdict });

test("a replay that may confirm by an old purchase asks before, any other acts at once, and a final event has none", () => {
  const asks = VERDICTS.filter((verdict) => buttonFor(verdict)?.type === ConfirmButton);
  expect(asks).toEqual(["unmatched", "dismissed", "ignored", "unreadable"]);
  const acts = VERDICTS.filter((verdict) => buttonFor(verdict)?.type === ActButton);
  expect(acts).toEqual(["not_paid", "renewal", "sandbox", "failed", "received"]);
  expect(JSON.stringify(buttonFor("unmatched"))).toContain("may earn a reward");
});
