import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { AuditLine } from "@/lib/contract/audit";
import type { Role, TeamMember } from "@/lib/contract/workspace";
import { AuditList } from "./audit-list";
import { MemberTable } from "./member-table";

const tea = { id: "a", name: "Tea", exists: true, sandbox: false };

const shown = (action: string, kind: string, app: AuditLine["app"] = tea, fact = "Subject") => {
  const subject = { kind, id: "7", name: null };
  const line = { id: "1", at: new Date(0), action, actor: "Ann", subject, app, changes: [] };
  const html = renderToStaticMarkup(createElement(AuditList, { lines: [line] }));
  return new RegExp(`<dt[^>]*>${fact}</dt><dd>(.*?)</dd>`).exec(html)?.[1];
};

test("an entry about a referral leads to its page, which a released redemption and an unknown app do not have", () => {
  const link = /^<a [^>]*href="\/dashboard\/apps\/a\/referrals\/7"[^>]*><code>referral 7<\/code><\/a>$/;
  expect(shown("referral.confirmed_by_hand", "referral")).toMatch(link);
  expect(shown("referral.released", "referral")).toBe("<code>referral 7</code>");
  expect(shown("referral.reversed", "referral", null)).toBe("<code>referral 7</code>");
  expect(shown("reward.goodwill", "reward")).toBe("<code>reward 7</code>");
});

test("nothing leads to a deleted app, nor to a referral of a sandbox, whose reset deletes it without its entries", () => {
  const appOf = (app: AuditLine["app"]) => shown("referral.reversed", "referral", app, "App");
  const page = /^<a [^>]*href="\/dashboard\/apps\/a"[^>]*>Tea<\/a>$/;
  expect(appOf(tea)).toMatch(page);
  const sandbox = { ...tea, sandbox: true };
  expect(shown("referral.reversed", "referral", sandbox)).toBe("<code>referral 7</code>");
  expect(appOf(sandbox)).toMatch(page);
  const deleted = { ...tea, exists: false };
  expect(shown("referral.reversed", "referral", deleted)).toBe("<code>referral 7</code>");
  expect(appOf(deleted)).toBe("Tea");
});

test.each(["code.replaced", "code.revealed"])(
  "the id of an entry %s is that of a referral or a reward",
  (action) => {
    expect(shown(action, "code")).toBe("<code>referral or reward 7</code>");
  },
);

test("the menu on the reader’s own row does not remove the reader, who leaves under the settings", () => {
  const member = (id: string) => ({ id, name: id, role: "admin" }) as TeamMember;
  const roles: Role[] = ["admin"];
  const { columns } = MemberTable({
    members: [],
    workspaceId: "1",
    self: "ann",
    roles,
    actions: {} as never,
  }).props;
  const actionsOn = (id: string) => {
    const menu = columns.at(-1).cell(member(id));
    return menu
      .type(menu.props)
      .props.actions.flatMap((action: { label: string } | false) => (action ? [action.label] : []));
  };
  expect(actionsOn("bob")).toEqual(["Change role", "Remove"]);
  expect(actionsOn("ann")).toEqual(["Change role"]);
});
