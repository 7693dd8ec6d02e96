import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { doneText } from "@/components/ui/act-button";
import { PURCHASE_SENTENCES } from "@/lib/contract/doctor";
import type { ReferralRow } from "@/lib/contract/referral-list";
import { EventPanel } from "./event-panel";
import { diagnosisLabels, VERDICT_LABELS } from "./labels";
import { LinkCandidates } from "./link-candidates";
import { LINKED, PurchaseLine } from "./purchase-line";

test("the outcome of a further purchase does not say that a referral counts, which a refund may have reversed", () => {
  const { why } = VERDICT_LABELS.already_confirmed;
  expect(why).not.toContain("counts");
  expect(why).toContain("stays reversed");
});

test.each(["already_confirmed", "not_paid", "renewal"])(
  "the toast of a link does not say that a purchase confirmed which is %s",
  (status) => {
    expect(doneText(LINKED, { status })).toContain("Linked, but");
    expect(doneText(LINKED, { status })).not.toBe(doneText(LINKED, { status: "confirmed" }));
  },
);

test("no text about a withdrawn refund says that the referral counts at once, which may be on hold still", () => {
  expect([VERDICT_LABELS.restored.why, doneText(LINKED, { status: "restored" })].join()).not.toContain(
    "counts",
  );
});

test("a purchase a minute before its redemption is not said to be hours older, nor a dismissed redemption to wait in line", () => {
  const later = diagnosisLabels({ why: "redeemed_later" }).advice;
  expect(later).not.toContain("redeemed more than an hour");
  expect(later).toContain("Within an hour of it, it is applied in a few minutes");
  expect(diagnosisLabels({ why: "no_code" }).advice).toContain(
    "waits, was dismissed after a review, or was released",
  );
});

test("neither text about an already confirmed referral blames another purchase, because a member may have confirmed it by hand", () => {
  const toast = doneText(LINKED, { status: "already_confirmed" });
  for (const text of [toast, VERDICT_LABELS.already_confirmed.why]) {
    expect(text).not.toMatch(/purchase (had )?confirmed/i);
    expect(text).toContain("belongs to another user, unlink it");
  }
  expect(VERDICT_LABELS.already_confirmed.why).toContain("by hand");
});

test("a purchase that a campaign may not count is marked, and no other is", () => {
  const purchase = { store: "ios", product: "gold", price: "0 EUR" } as const;
  const lineOf = (held?: "renewal" | "unpaid") =>
    renderToStaticMarkup(createElement(PurchaseLine, { purchase: { ...purchase, held } }));
  expect(lineOf()).toContain("App Store · gold · 0 EUR<");
  expect(lineOf("renewal")).toContain("0 EUR · Renewal<");
  expect(lineOf("unpaid")).toContain("0 EUR · Free trial or price of 0<");
});

test("an event that was not paid may have a price of 0, and an ignored one may be a purchase", () => {
  for (const text of [VERDICT_LABELS.not_paid.why, PURCHASE_SENTENCES.not_paid])
    expect(text).toContain("price of 0");
  expect(VERDICT_LABELS.ignored.why).toContain("does not count: from a web shop");
  // In the past tense, because the campaign may have other rules now.
  for (const verdict of ["not_paid", "renewal"] as const)
    expect(VERDICT_LABELS[verdict].why).toMatch(/the campaign (confirmed|did not count) .*when it came\./);
});

test.each([
  ["ignored", "admin", "choose"],
  ["ignored", "support", "ask an admin to choose"],
  ["ignored", undefined, undefined],
  ["unmatched", "admin", undefined],
] as const)(
  "an event that is %s advises a choice of the menu, which a reader who is %s may: %s",
  (verdict, countWebAs, advice) => {
    const purchase = { store: null, product: null, price: null };
    const event = {
      id: "1",
      connectionId: "1",
      eventId: "1",
      type: "RENEWAL",
      uids: [],
      links: [],
      headers: {},
      purchase,
      verdict,
      referralId: null,
      matchedBy: null,
      purchaseId: null,
      failure: null,
      at: new Date(),
      occurredAt: null,
      anonymous: false,
    };
    const panel = createElement(EventPanel, { appPath: "", event, payload: "", closeHref: "/", countWebAs });
    const [, advised] = /should count, ([a-z ]*) Count web/.exec(renderToStaticMarkup(panel)) ?? [];
    expect(advised).toBe(advice);
  },
);

const PROPS = { action: async () => ({}), appId: "1", eventId: "1", uid: undefined, keep: {} };

test("no referee matches only where all referrals were searched", () => {
  const shown = (more: boolean) =>
    JSON.stringify(LinkCandidates({ ...PROPS, kind: "confirm", candidates: [], more }));
  expect(shown(false)).toContain("No referee matches");
  expect(shown(true)).not.toContain("No referee matches");
  expect(shown(true)).toContain("None of the 10,000 referrals searched matches");
});

test("of a referral that a member reversed, which is not listed, a withdrawn refund says how the reversal is undone", () => {
  const shown = (kind: string) =>
    JSON.stringify(LinkCandidates({ ...PROPS, kind, candidates: [], more: false }));
  expect(shown("restore")).toContain("reversed by hand");
  expect(shown("reverse")).not.toContain("reversed by hand");
  expect(diagnosisLabels({ why: "nothing_to_turn" }).advice).toContain("undo the member’s reversal");
});

test.each([
  ["confirm", "may earn a reward"],
  ["reverse", "reverses the referral"],
  ["restore", "counts again, once its hold is over"],
])("a link says what an event to %s does, and nothing of other kinds", (kind, effect) => {
  const row = { id: "1", refereeUid: "ben", createdAt: new Date() } as ReferralRow;
  const element = JSON.stringify(LinkCandidates({ ...PROPS, kind, candidates: [row], more: false }));
  const shown = /"description":"([^"]*)"/.exec(element)?.[1] ?? "";
  const effects = ["may earn a reward", "reverses the referral,", "counts again, once its hold is over"];
  const named = effects.filter((text) => shown.includes(text));
  expect(named).toEqual([expect.stringContaining(effect)]);
});
