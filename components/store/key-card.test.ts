import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { KeyCard } from "./key-card";

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
