import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ReferralTable } from "@/components/referral/referral-table";
import type { ReferralRow } from "@/lib/contract/referral-list";

const row = (changes: Partial<ReferralRow>): ReferralRow => ({
  id: "1",
  status: "code_assigned",
  refereeUid: "ben",
  platform: "ios",
  referrer: null,
  campaign: null,
  code: null,
  createdAt: new Date(),
  confirmedAt: null,
  heldUntil: null,
  reversedAt: null,
  ...changes,
});

test("a click has no checkbox, because no action on referrals fits it", () => {
  const click = row({ id: "2", status: "clicked", refereeUid: null });
  const props = { base: "/b", label: "Referrals", rows: [row({}), click], selectable: true };
  const markup = renderToStaticMarkup(createElement(ReferralTable, props));
  expect([
    ...markup.matchAll(/type="checkbox"[^>]*value="(\d)"|value="(\d)"[^>]*type="checkbox"/g),
  ]).toHaveLength(1);
  expect(markup).toContain("Not known yet");
  expect(markup).not.toContain("an unknown referee");
});
