import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CheckReport } from "@/lib/contract/code-file";
import type { PoolName } from "@/lib/contract/pool";
import { Checked } from "./checked";
import { fittingPool, poolChoices, poolQuery, storeOfFile } from "./choose-pool";
import { ImportTabs, poolOfAddress } from "./import-tabs";

const pool = (id: string, platform: "ios" | "android", use: "referee" | "reward"): PoolName => ({
  id,
  name: id,
  platform,
  use,
});

test("offers the app's pools, and a new one where a store of the app has none", () => {
  const choices = poolChoices([pool("a", "ios", "referee")], ["ios", "android"]);
  expect(choices.map(({ value }) => value)).toEqual(["a", "ios:reward", "android:referee", "android:reward"]);
  expect(poolChoices([], ["ios"]).map(({ value }) => value)).toEqual(["ios:referee", "ios:reward"]);
});

test("keeps the chosen pool unless the codes are of the other store", () => {
  const choices = poolChoices(
    [pool("a", "ios", "referee"), pool("b", "ios", "reward"), pool("c", "android", "reward")],
    ["ios", "android"],
  );
  expect(fittingPool(choices, "b", "ios")?.value).toBe("b");
  expect(fittingPool(choices, "b", undefined)?.value).toBe("b");
  expect(fittingPool(choices, "b", "android")?.value).toBe("c");
  expect(fittingPool(choices, "a", "android")?.value).toBe("android:referee");
  expect(fittingPool(choices, "", "android")?.value).toBe("android:referee");
  expect(fittingPool(choices, "", undefined)?.value).toBe("a");
  expect(fittingPool(poolChoices([], ["ios"]), "ios:reward", "android")?.value).toBe("ios:reward");
});

test("a checked file says that its codes are of the other store, as long as the pool chosen for them stays", () => {
  const choices = poolChoices([pool("Tea", "ios", "referee"), pool("Oolong", "android", "referee")], ["ios"]);
  const dates = { order: "day" as const, unclear: undefined };
  const report = {
    read: 1,
    fresh: 1,
    refused: {},
    concerns: {},
    examples: {},
    dates,
    ends: { first: [], last: [] },
  };
  const shown = (selected: string, chosen: string, now = chosen) => {
    const facts = { pool: now, offer: "", expiresAt: "", origin: "", dates: "day" as const };
    const unfitting = selected === chosen ? undefined : choices.find(({ value }) => value === selected);
    const file = { blob: new Blob(), name: "codes.csv", unfitting };
    const step = { at: "checked" as const, report: report as unknown as CheckReport };
    const on = { onFacts: () => {}, onCheck: () => {}, onStore: () => {}, onBack: () => {} };
    const html = renderToStaticMarkup(
      createElement(Checked, { appId: "1", file, facts, pools: choices, step, ...on }),
    );
    return /These look[^<]*/.exec(html)?.[0];
  };
  const [ios, android] = ["Tea (iOS, for referees)", "Oolong (Android, for referees)"];
  expect(shown("Tea", "Oolong")).toBe(
    `These look like Google Play codes, so the pool is “${android}” instead of “${ios}”.`,
  );
  expect(shown("Oolong", "Tea")).toBe(
    `These look like App Store codes, so the pool is “${ios}” instead of “${android}”.`,
  );
  expect(shown("Tea", "Tea")).toBeUndefined();
  expect(shown("Tea", "Oolong", "Tea")).toBeUndefined();
  expect(shown("", "Tea")).toBeUndefined();
});

test("an address that names a use preselects no pool of the other use, even the only one", () => {
  const [friends, rewards] = [pool("a", "ios", "referee"), pool("b", "ios", "reward")];
  expect(poolOfAddress([friends], { use: "reward" })).toBeUndefined();
  expect(poolOfAddress([friends], {})).toBe(friends);
  expect(poolOfAddress([friends, rewards], {})).toBeUndefined();
  expect(poolOfAddress([friends, rewards], { use: "reward" })).toBe(rewards);
  expect(poolOfAddress([friends, rewards], { pool: "a", use: "reward" })).toBe(friends);
});

test("the types of codes keep the pool or the use of the address, and the page to return to", () => {
  const hrefs = (query: Record<string, string>, custom: boolean) =>
    [...renderToStaticMarkup(ImportTabs({ appId: "1", custom, query })).matchAll(/href="([^"]*)"/g)].map(
      ([, href = ""]) => href.split("?")[1],
    );
  expect(hrefs({ use: "reward", from: "start" }, false)).toEqual([
    "use=reward&amp;from=start",
    "use=reward&amp;from=start&amp;kind=custom",
  ]);
  expect(hrefs({ pool: "b", kind: "custom" }, true)).toEqual(["pool=b", "pool=b&amp;kind=custom"]);
});

test("names a pool by its id or by its store and use", () => {
  expect(poolQuery("01a2")).toEqual({ poolId: "01a2" });
  expect(poolQuery("ios:reward")).toEqual({ platform: "ios", use: "reward" });
});

const apple = "7Q9M2I0HZ2UEWMUFXB";
const google = "FBCIXGY29DB8P5QA3E68F7E";

test.each([
  ["App Store codes", `${apple}\n`, "ios"],
  ["Google Play codes", `Promotion code\n${google}\n`, "android"],
  ["links to the App Store", `https://apps.apple.com/redeem?id=1234567&code=${google}`, "ios"],
  ["a report", "Date,Units\n2026-11-01,2", undefined],
])("knows the store of %s", async (_name, text, store) => {
  expect(await storeOfFile(new Blob([text]))).toBe(store);
  expect(await storeOfFile(new Blob([Buffer.from(`\ufeff${text}`, "utf16le")]))).toBe(store);
});
