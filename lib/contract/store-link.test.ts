import { expect, test } from "vitest";
import { appAddresses, appIdentity, appInput } from "./app";
import { readStoreLinks } from "./store-link";

test.each([
  [
    "https://apps.apple.com/us/app/duolingo-language-lessons/id570060128",
    "570060128",
    "Duolingo Language Lessons",
  ],
  ["https://apps.apple.com/app/id570060128", "570060128", undefined],
  ["apps.apple.com/de/app/streaks/id963034692?l=en&mt=8", "963034692", "Streaks"],
  ["https://apps.apple.com/cn/app/%E5%BE%AE%E4%BF%A1/id414478124/", "414478124", "微信"],
  ["https://itunes.apple.com/us/app/things-3/id904237743?mt=8", "904237743", "Things 3"],
  ["itms-apps://itunes.apple.com/de/app/streaks/id963034692?mt=8", "963034692", "Streaks"],
  ["https://geo.itunes.apple.com/app/apple-store/id963034692?pt=1&ct=mail", "963034692", undefined],
  ["Streaks: https://apps.apple.com/us/app/streaks/id963034692", "963034692", "Streaks"],
  ["https://apps.apple.com/app/bad-%E0%A4%A/id414478124", "414478124", undefined],
  ["https://appstoreconnect.apple.com/apps/963034692/distribution/ios", "963034692", undefined],
])("reads %s", (text, id, name) => {
  expect(readStoreLinks(` ${text}\n`)).toEqual([{ platform: "ios", id, name }]);
});

test.each([
  ["https://play.google.com/store/apps/details?id=com.duolingo", "com.duolingo", "Duolingo"],
  [
    "play.google.com/store/apps/details?hl=de&id=com.example.fit_time.app&gl=US",
    "com.example.fit_time.app",
    "Fit Time",
  ],
  [
    "https://play.google.com/store/apps/details/Duolingo?id=com.duolingo&referrer=utm_source%3Dmail",
    "com.duolingo",
    "Duolingo",
  ],
  ["market://details?id=com.duolingo", "com.duolingo", "Duolingo"],
  ["https://play.google.com/apps/testing/com.duolingo", "com.duolingo", "Duolingo"],
])("reads %s", (text, id, name) => {
  expect(readStoreLinks(text)).toEqual([{ platform: "android", id, name }]);
});

test.each([
  "",
  "My app",
  "570060128",
  "https://example.com/app/id570060128",
  "https://apps.apple.com.example.com/app/id570060128",
  "https://apps.apple.com/us/developer/duolingo/id570060131",
  "https://play.google.com/store/apps/details?id=duolingo",
  "https://play.google.com/store/apps/dev?id=com.example.app",
  "javascript:alert(1)",
  "market://search?q=duolingo",
  "https://play.google.com/apps/internaltest/4701234567890123456",
  "https://play.google.com/store/apps/details/?q=a&id=",
])("reads nothing in %j", (text) => {
  expect(readStoreLinks(text)).toEqual([]);
});

test("a text may have the addresses of an app in both stores, but not those of two apps in one", () => {
  const apple = "https://apps.apple.com/us/app/streaks/id963034692";
  const google = "https://play.google.com/store/apps/details?id=com.example.streaks";
  const both = appAddresses.parse(`Streaks (${apple}), also on ${google}. Or ${apple}?l=en.`);
  expect(both.map(({ platform, id }) => [platform, id])).toEqual([
    ["ios", "963034692"],
    ["android", "com.example.streaks"],
  ]);
  const two = `${apple}\nhttps://apps.apple.com/us/app/things-3/id904237743`;
  expect(appAddresses.safeParse(two).error?.issues[0]?.message).toBe(
    "storeLink has the addresses of several apps in one store. Paste that of one app",
  );
  expect(appInput.safeParse({ name: "App", appleAppId: two }).success).toBe(false);
  const settings = appInput.parse({ name: "App", androidPackage: `${two} ${google}` });
  expect(settings.androidPackage).toBe("com.example.streaks");
  expect(appAddresses.safeParse("My app").error?.issues[0]?.message).toMatch(
    /^storeLink must be the app's address/,
  );
});

test("an id may be given as the address of the app in its own store", () => {
  const apple = "https://apps.apple.com/us/app/x/id1567890123";
  const google = "https://play.google.com/store/apps/details?id=com.example.app";
  expect(appInput.parse({ name: "App", appleAppId: apple, androidPackage: google })).toMatchObject({
    appleAppId: "1567890123",
    androidPackage: "com.example.app",
  });
  expect(appIdentity.parse({ name: "App", appleAppId: apple })).toMatchObject({
    appleAppId: "1567890123",
    androidPackage: null,
  });
  expect(appInput.safeParse({ name: "App", appleAppId: google }).success).toBe(false);
});
