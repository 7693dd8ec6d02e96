import { expect, test } from "vitest";
import { ReplaceCode } from "@/components/referral/code-actions";
import { ReviewBulkBar } from "@/components/referral/referral-bulk-bar";
import { SupportActions } from "@/components/referral/support-actions";
import { GoodwillReward } from "@/components/referrer/goodwill";
import { MOST_OFFERED } from "@/lib/contract/doctor";
import type { EventVerdict, EventView } from "@/lib/contract/provider";
import type { EventEntry, ReferralView } from "@/lib/contract/timeline";
import { ConfirmByHand, UnlinkEvent } from "./by-hand-actions";

test.each<[EventVerdict, string[], string]>([
  ["confirmed", ["waits for a purchase again"], "counts again"],
  ["not_paid", ["waits for a purchase again"], "counts again"],
  [
    "reversed",
    ["counts again, once its hold is over", "withdrawn with it is back once it is due"],
    "waits for a purchase",
  ],
  ["restored", ["reverses the referral again", "no longer counts"], "counts again"],
])("the question before an event that %s is unlinked says what that does", (verdict, effects, other) => {
  const event = { id: "1", type: "EVENT", verdict, at: new Date(0) } as EventEntry;
  const shown = JSON.stringify(UnlinkEvent({ action: async () => ({}), appId: "1", referralId: "f", event }));
  // Two linked events may be of one type.
  expect(shown).toContain(`"at":"1970-01-01T00:00:00.000Z"`);
  for (const effect of effects) expect(shown).toContain(effect);
  expect(shown).not.toContain(other);
});

/** The elements of a tree, with what their components return. */
function textOf(node: unknown): string {
  return JSON.stringify(node, (_, value) =>
    typeof value?.type === "function" && /LinkEvent|EventChoice|RestoreReferral/.test(value.type.name)
      ? { type: value.type.name, props: value.type(value.props) }
      : value,
  );
}

test("the purchases to link show the store's time, none is chosen, and the first 20 are said to be the first", () => {
  const at = new Date(Date.UTC(2026, 0, 2));
  const occurredAt = new Date(Date.UTC(2026, 0, 1));
  const event = { id: "1", type: "BUY", uids: [], purchase: {}, at, occurredAt } as unknown as EventView;
  const referral = { refereeUid: "ben", timeline: [] } as unknown as ReferralView;
  const offered = (count: number) =>
    textOf(
      SupportActions({
        appId: "1",
        retryHours: 1,
        referral,
        actions: {} as never,
        events: Array.from({ length: count }, (_, index) => ({ ...event, id: `${index}` })),
      }),
    );
  const single = offered(1);
  expect(single).toContain(`"at":"${occurredAt.toISOString()}"`);
  expect(single).toContain('"shape":"second"');
  expect(single).not.toContain(at.toISOString());
  expect(single).not.toContain('"defaultChecked":true');
  expect(single).not.toContain("the first 20");
  expect(offered(MOST_OFFERED)).toContain("the first 20");
});

test("a reversal that is undone promises neither that the referral counts at once nor that its hold begins again", () => {
  const referral = { status: "reversed", reversedByProvider: false, timeline: [] } as unknown as ReferralView;
  const props = { appId: "1", retryHours: 1, referral, actions: {} as never, events: [] };
  const shown = textOf(SupportActions(props));
  expect(shown).toContain("counts for its referrer again, once its hold is over if it is still on hold");
  expect(shown).toContain("may earn a reward");
  // If the threshold has been raised since, a reward that was withdrawn with the reversal stays withdrawn.
  expect(shown).toContain("withdrawn with the reversal is back once it is due");
});

test("a replaced code of an erased user is not said to reach the app", () => {
  const referral = { status: "code_assigned", code: { id: "c" }, again: { when: "now" }, timeline: [] };
  const question = (refereeUid: string) =>
    JSON.stringify(
      SupportActions({
        appId: "1",
        retryHours: 24,
        referral: { ...referral, refereeUid } as unknown as ReferralView,
        events: [],
        actions: {} as never,
      }),
      (_, value) => (value?.type === ReplaceCode ? ReplaceCode(value.props) : value),
    );
  expect(question("ben")).toContain("Your app gets the new code when the referee enters");
  expect(question(`erased:${"x".repeat(43)}`)).not.toContain("Your app gets");
});

test("the questions before a code is assigned say what else decides: the budget, the pool and a new pool of the campaign", () => {
  const action = async () => undefined as never;
  const ids = { appId: "1", referrerId: "r", assignmentId: "f", codeId: "c" };
  const goodwill = GoodwillReward({ ...ids, action, platforms: ["ios"], granted: 0 });
  expect(JSON.stringify(goodwill)).toContain("budget has room and the reward pool has a code");
  const approval = JSON.stringify(ReviewBulkBar({ appId: "1", approve: action, dismiss: undefined }));
  expect(approval).toContain('"state":"dismissed"');
  const review = JSON.stringify(ReviewBulkBar({ appId: "1", approve: action, dismiss: action }));
  expect(review).not.toContain('"state"');
  expect(approval).toContain("While the pool has codes and the campaign has budget left, one is set aside");
  const replacement = ReplaceCode({ ...ids, action, holder: "referee", retryHours: 1 });
  expect(JSON.stringify(replacement)).toContain("of its pool, or of the one that the campaign has now");
});

test("a confirmation by hand promises a reversal only by a later refund, under an ID that leads to this code", () => {
  const question = (noUser: boolean) =>
    JSON.stringify(ConfirmByHand({ action: async () => ({}), appId: "1", referralId: "f", noUser }));
  const shown = question(false);
  expect(shown).toContain(
    "A later refund that the provider reports for this user ID, or for a joined one without a code",
  );
  expect(shown).toContain("look for others under Unmatched");
  expect(question(true)).toContain("erased, so no refund reverses it");
  expect(question(true)).not.toContain("A later refund");
});
