import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { EventLog } from "@/components/provider/event-log";
import { DeliveryList } from "@/components/webhook/delivery-list";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/list",
  useSearchParams: () => new URLSearchParams(),
}));

const deliveries = (query: { status?: "dead" }) =>
  renderToStaticMarkup(
    createElement(DeliveryList, {
      path: "/list",
      query,
      page: { data: [], next_cursor: null },
      size: 50,
      resend: { action: async () => ({}), hidden: {}, begin: "Send test event" },
    }),
  );

const events = (query: { verdict?: "unmatched" }) =>
  renderToStaticMarkup(
    createElement(EventLog, { path: "/list", query, events: [], nextCursor: null, check: "/check" }),
  );

test("an empty log has a next step: the first event, or the log without its filter", () => {
  expect(deliveries({})).toMatch(/No deliveries yet.*Send test event/s);
  expect(deliveries({ status: "dead" })).toMatch(
    /No matching deliveries.*href="\/list"[^>]*>Show all deliveries/s,
  );
  expect(events({})).toMatch(/No events yet.*href="\/check"[^>]*>Check the integration/s);
  expect(events({ verdict: "unmatched" })).toMatch(/No matching events.*href="\/list"[^>]*>Show all events/s);
});
