import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { AuditLine } from "@/lib/contract/audit";
import { AuditList } from "./audit-list";

const shown = (action: string, kind: string, app: AuditLine["app"] = { id: "a", name: "Tea" }) => {
  const subject = { kind, id: "7", name: null };
  const line = { id: "1", at: new Date(0), action, actor: "Ann", subject, app, changes: [] };
  const html = renderToStaticMarkup(createElement(AuditList, { lines: [line] }));
  return /<dt[^>]*>Subject<\/dt><dd>(.*?)<\/dd>/.exec(html)?.[1];
};

test("an entry about a referral leads to its page, which a released redemption and an unknown app do not have", () => {
  const link = /^<a [^>]*href="\/dashboard\/apps\/a\/referrals\/7"[^>]*><code>referral 7<\/code><\/a>$/;
  expect(shown("referral.confirmed_by_hand", "referral")).toMatch(link);
  expect(shown("referral.released", "referral")).toBe("<code>referral 7</code>");
  expect(shown("referral.reversed", "referral", null)).toBe("<code>referral 7</code>");
  expect(shown("reward.goodwill", "reward")).toBe("<code>reward 7</code>");
});

test.each(["code.replaced", "code.revealed"])(
  "the id of an entry %s is that of a referral or a reward",
  (action) => {
    expect(shown(action, "code")).toBe("<code>referral or reward 7</code>");
  },
);
