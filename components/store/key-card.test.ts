import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { KeyCard } from "./key-card";
import { RefillList } from "./refill-list";

vi.mock("next/navigation", async (original) => ({
  ...(await original()),
  useRouter: () => ({}),
  usePathname: () => "/codes/app-store",
  useSearchParams: () => new URLSearchParams(),
}));

test.each([
  [{ trouble: "The stored key is damaged and cannot be read.", unreadable: true }, "Unreadable"],
  [{ trouble: "Apple rejected the key.", unreadable: false }, "Refused"],
  [{ trouble: null, unreadable: false }, "Working"],
])("the badge beside a key with %j is %s", (state, badge) => {
  const storeKey = { issuerId: "i", keyId: "k", listedAt: new Date(0), createdAt: new Date(0), ...state };
  const action = async () => ({});
  const shown = renderToStaticMarkup(
    createElement(KeyCard, { appId: "1", storeKey, mayChange: false, save: action, remove: action }),
  );
  const badges = ["Unreadable", "Refused", "Working"].filter((label) => shown.includes(`>${label}<`));
  expect(badges).toEqual([badge]);
});

test.each([
  ["runs", { enabled: true, stopped: null }, ["Disable"]],
  ["is stopped", { enabled: true, stopped: "cap" }, ["Enable", "Disable"]],
  ["is off", { enabled: false, stopped: null }, ["Enable"]],
])("a refill that %s can be changed", (_, state, buttons) => {
  const rule = { poolId: "p", amount: 1, threshold: 1, used: 0, quarterCap: 9, laterOffers: [], ...state };
  const actions = { save: async () => ({}), enable: async () => ({}), remove: async () => ({}) };
  const pools = [{ id: "p", name: "Gifts", free: 2 }];
  const props = { appId: "1", pools, rules: [rule], offers: [], actions, mayChange: true } as never;
  const shown = renderToStaticMarkup(createElement(RefillList, props));
  expect(["Enable", "Disable"].filter((label) => shown.includes(`"${label} the refill of Gifts"`))).toEqual(
    buttons,
  );
});
