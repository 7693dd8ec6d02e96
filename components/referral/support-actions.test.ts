import { expect, test } from "vitest";
import type { EventVerdict } from "@/lib/contract/provider";
import { UnlinkEvent } from "./by-hand-actions";

test.each<[EventVerdict, string[], string]>([
  ["confirmed", ["waits for a purchase again"], "counts again"],
  ["not_paid", ["waits for a purchase again"], "counts again"],
  ["reversed", ["the referral counts again", "withdrawn with it is back"], "waits for a purchase"],
  ["restored", ["reverses the referral again", "no longer counts"], "counts again"],
])("the question before an event that %s is unlinked says what that does", (verdict, effects, other) => {
  const event = { id: "1", type: "EVENT", verdict };
  const shown = JSON.stringify(UnlinkEvent({ action: async () => ({}), appId: "1", event }));
  for (const effect of effects) expect(shown).toContain(effect);
  expect(shown).not.toContain(other);
});
