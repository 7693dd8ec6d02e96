import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ConnectionView } from "@/lib/contract/provider";
import { HealthBadge } from "./connection-list";

test("a refusal is said to be of a wrong secret only where the provider shares one", () => {
  const health = { last: null, day: [], refusals: { deliveries: 0, since: null, hours: [] } };
  const badge = (hasSecret: boolean) => {
    const connection = { enabled: true, waiting: false, refusedAt: new Date(), hasSecret } as ConnectionView;
    return renderToStaticMarkup(createElement(HealthBadge, { connection, health }));
  };
  expect(badge(true)).toContain("Wrong secret");
  expect(badge(false)).toMatch(/>Refused</);
});
