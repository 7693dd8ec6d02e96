import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { StockCards } from "@/components/overview/stock-cards";
import { EventLog } from "@/components/provider/event-log";
import { DeliveryList } from "@/components/webhook/delivery-list";

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
