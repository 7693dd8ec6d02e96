import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { ChannelList } from "@/components/alert/channel-list";
import type { ChannelActions } from "@/components/alert/channel-menu";
import { StartList } from "@/components/overview/start-list";
import { StockCards } from "@/components/overview/stock-cards";
import { EventLog } from "@/components/provider/event-log";
import { DeliveryList } from "@/components/webhook/delivery-list";
import { MonthCard } from "@/components/workspace/month-card";
import { type Checklist, START_STEPS } from "@/lib/contract/checklist";
import type { Role } from "@/lib/contract/workspace";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/list",
  useSearchParams: () => new URLSearchParams(),
}));

const deliveries = (
  query: { status?: "dead" },
  enabled = true,
  begin: string | undefined = "Send test event",
) =>
  renderToStaticMarkup(
    createElement(DeliveryList, {
      path: "/hooks/list",
      query,
      page: { data: [], next_cursor: null },
      size: 50,
      enabled,
      begin: begin !== "" && createElement("span", {}, begin),
    }),
  );

const events = (query: { verdict?: "unmatched" }) =>
  renderToStaticMarkup(
    createElement(EventLog, { path: "/list", query, events: [], nextCursor: null, check: "/check" }),
  );

test("an empty log has a next step: the first event, or the log without its filter", () => {
  expect(deliveries({})).toMatch(/No deliveries yet.*Send test event/s);
  expect(deliveries({ status: "dead" })).toMatch(
    /No matching deliveries.*href="\/hooks\/list"[^>]*>Show all deliveries/s,
  );
  expect(events({})).toMatch(/No events yet.*href="\/check"[^>]*>Check the integration/s);
  expect(events({ verdict: "unmatched" })).toMatch(/No matching events.*href="\/list"[^>]*>Show all events/s);
});

test("an endpoint without deliveries says what its reader can do, by role and state", () => {
  expect(deliveries({})).toMatch(/Send the first.*Send test event/s);
  expect(deliveries({}, false, "Enable endpoint")).toMatch(
    /Enable the endpoint to receive.*Enable endpoint/s,
  );
  const onward = 'href="/hooks"[^>]*>All endpoints';
  const reader = deliveries({}, true, "");
  expect(reader).toMatch(new RegExp(`An admin can send a test event.*${onward}`, "s"));
  expect(reader).not.toMatch(/enable/i);
  expect(deliveries({}, false, "")).toMatch(new RegExp(`ask an admin to enable it.*${onward}`, "s"));
});

test("a stock without pools leads to the import, and a reader who may not import to the team", () => {
  const stock = (readOnlyIn?: { id: string }) =>
    renderToStaticMarkup(createElement(StockCards, { appId: "app", pools: [], readOnlyIn }));
  expect(stock()).toMatch(/href="[^"]*\/codes\/import"[^>]*>Import codes/);
  expect(stock({ id: "w" })).not.toContain("/codes/import");
  expect(stock({ id: "w" })).toMatch(/href="\/dashboard\/workspaces\/w"[^>]*>Open the team/);
});

test("the checklist offers each role only the steps that it may do, and names the role that the others need", () => {
  const done = Object.fromEntries(START_STEPS.map((step) => [step, false])) as Checklist["done"];
  const checklist = {
    ...{ done, count: 0, complete: false, sandbox: false },
    ...{ baseUrl: "", landingUrl: "", connection: null },
  };
  const list = (role: Role) =>
    renderToStaticMarkup(
      createElement(StartList, { appId: "app", checklist, role, actions: { key: "Create key" }, help: {} }),
    );
  expect(list("viewer")).not.toMatch(/href=|Create key/);
  expect(list("viewer")).toMatch(/Create an API key.*Needs at least the admin role/s);
  expect(list("member")).toMatch(/Needs at least the admin role.*href="[^"]*\/campaigns\/new/s);
  expect(list("member")).not.toMatch(/href="[^"]*\/settings|Create key/);
  expect(list("admin")).toMatch(/href="[^"]*\/settings.*Create key/s);
  expect(list("admin")).not.toContain("Needs at least");
});

test("alerts without a channel tell an admin to add one, and other roles that an admin can", () => {
  const empty = (actions?: ChannelActions) =>
    renderToStaticMarkup(createElement(ChannelList, { appId: "app", channels: [], actions }));
  expect(empty({} as ChannelActions)).toContain("No other channel. Add the chat");
  expect(empty()).toContain("No other channel. An admin can add the chat");
});

test("near its limit a workspace leads to the operator, and a reader who does not decide to the team", () => {
  const month = (used: number, admin: boolean, operator?: string) => {
    const report = { limit: 100, used, projected: null, resetAt: new Date() };
    const more = { workspace: { id: "w", name: "Tea & Co" }, admin, operator };
    return renderToStaticMarkup(createElement(MonthCard, { plan: "free", report, more }));
  };
  expect(month(80, true, "ops@example.com")).toMatch(
    /href="mailto:ops@example.com\?subject=[^"&]*Tea%20%26%20Co&amp;body=npm%20run%20plan%20--%20w%20basic"[^>]*>Email the operator/,
  );
  expect(month(100, true)).toMatch(/href="#change-plan"[^>]*>See the command/);
  const reader = month(100, false, undefined);
  expect(reader).toMatch(/href="\/dashboard\/workspaces\/w"[^>]*>Open the team/);
  expect(month(79, true, "ops@example.com")).not.toContain("mailto:");
});
