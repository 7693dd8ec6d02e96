import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PoolView } from "@/lib/contract/pool";
import { StockCards } from "./stock-cards";

test("codes within the safety margin are not called expired on the overview, as on the pool's page", () => {
  const pool = { id: "p", name: "iOS", platform: "ios", use: "referee", expired: 5, quarantined: 0 };
  const figures = { size: 9, free: 4, assigned: 0, daysLeft: null, perDay: 0, nextExpiry: null };
  const shown = renderToStaticMarkup(
    StockCards({ appId: "1", pools: [{ ...pool, ...figures } as unknown as PoolView] }),
  );
  expect(shown).toContain("Not counted: 5 expired or too close to expiry");
});
