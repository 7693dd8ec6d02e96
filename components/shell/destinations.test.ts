import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import {
  appDestinations,
  fitOf,
  generalDestinations,
  keyedDestinations,
  workspaceDestinations,
} from "./destinations";
import { roleInApp } from "./switcher";

const PLACES = {
  workspaces: [
    { id: "w1", name: "Acme", role: "owner" as const },
    { id: "w2", name: "Guests", role: "member" as const },
  ],
  apps: [{ id: "a1", name: "Fitness", sandbox: false, workspaceId: "w1" }],
};

/** Pages about one row, which a search by name finds, and pages whose address needs more than a path. */
const OF_ROWS = /\[(?!appId|workspaceId)|\/people$/;

/** The addresses of every page of the dashboard, for the app `a1` and the workspace `w1`. */
const pages = readdirSync("app/dashboard", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("page.tsx"))
  .map((path) => `/dashboard/${path}`.replace(/\/page\.tsx$/, ""))
  .filter((path) => !OF_ROWS.test(path) && path !== "/dashboard/ui")
  .map((path) => path.replace("[appId]", "a1").replace("[workspaceId]", "w1"));

const { pages: appPages, actions } = appDestinations("a1", "owner", true);
const all = [...appPages, ...actions, ...workspaceDestinations(PLACES, "w1"), ...generalDestinations(PLACES)];

test("the palette reaches every page of the dashboard, and each of its pages exists", () => {
  expect(pages.length).toBeGreaterThan(25);
  // `?new` opens the page's dialog.
  const hrefs = all.map(({ href }) => href.replace(/\?new$/, ""));
  expect(pages.filter((page) => !hrefs.includes(page))).toEqual([]);
  const inDashboard = hrefs.filter((href) => href.startsWith("/dashboard") && !href.includes("w2"));
  expect(inDashboard.filter((href) => !pages.includes(href))).toEqual([]);
});

test("an action that creates something opens its dialog, not a list", () => {
  const named = all.filter(({ name }) => /^(Create|Connect|Add|Invite)/.test(name));
  // An action whose address ends with `/new` has its own page.
  const lists = named.filter(({ href }) => !/\?new$|\/new$/.test(href));
  expect(named.length).toBeGreaterThan(7);
  expect(lists).toEqual([]);
});

test("a member sees no page of admins, and the workspace on the screen comes first", () => {
  const found = workspaceDestinations(PLACES, "w2");
  expect(found[0]).toMatchObject({ name: "Team", note: "Guests", keys: "g t" });
  const ofGuests = found.filter(({ note }) => note === "Guests").map(({ name }) => name);
  expect(ofGuests).toEqual(["Team", "Plan and usage", "Workspace settings"]);
});

test.each([
  ["viewer", []],
  ["support", []],
  ["member", ["Create campaign", "Import codes", "Create pool", "Simulate a purchase"]],
] as const)("the palette offers a %s the actions of that role only", (role, names) => {
  expect(appDestinations("a1", role, true).actions.map(({ name }) => name)).toEqual(names);
  const places = { ...PLACES, workspaces: [{ id: "w1", name: "Acme", role }] };
  expect(roleInApp(places, "a1")).toBe(role);
  expect(roleInApp(places, "unknown")).toBeUndefined();
});

test("a purchase is simulated in a sandbox only, so the palette does not offer it in a live app", () => {
  const live = appDestinations("a1", "owner").actions.map(({ name }) => name);
  expect(actions.map(({ name }) => name).filter((name) => !live.includes(name))).toEqual([
    "Simulate a purchase",
  ]);
});

test.each([
  ["member", false],
  ["admin", true],
] as const)("a %s of the only workspace is offered an app to create: %s", (role, offered) => {
  const places = { ...PLACES, workspaces: [{ id: "w1", name: "Acme", role }] };
  expect(generalDestinations(places).some(({ name }) => name === "Create app")).toBe(offered);
});

test("each sequence of keys opens one page", () => {
  const keyed = keyedDestinations(PLACES, "a1");
  expect(keyed.find(({ keys }) => keys === "g t")?.href).toBe("/dashboard/workspaces/w1");
  const keys = keyed.map(({ keys }) => keys);
  expect(keys.length).toBeGreaterThan(12);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a visitor of the demo, who has no account, is led to no page of it", () => {
  const names = generalDestinations({
    ...PLACES,
    workspaces: [{ id: "w1", name: "Demo", role: "viewer" }],
    demo: true,
  }).map(({ name }) => name);
  expect(names).toEqual(["All apps", "Docs", "API reference"]);
});

test.each([
  ["landing page", "Landing page"],
  ["audit", "Audit log"],
  ["invite a colleague", "Invite a colleague"],
  ["webhook", "Webhooks"],
  ["webhooks", "Webhooks"],
  ["plan", "Plan and usage"],
  ["domain", "Domain"],
  ["how to upload codes", "Import codes"],
  ["create key", "Create API key"],
  ["delete app", "Delete app"],
  ["weekly email", "Alerts"],
  ["campain", "Campaigns"],
  ["campagin", "Campaigns"],
  ["overveiw", "Overview"],
  ["refferals", "Referrals"],
  ["landign page", "Landing page"],
  ["invite a collegue", "Invite a colleague"],
  ["create capmaign", "Create campaign"],
  ["where is the audit log", "Audit log"],
  ["create pool", "Create pool"],
  ["share image", "Landing page"],
  ["change password", "Account and security"],
  ["delete account", "Account and security"],
  ["delete workspace", "Workspace settings"],
  ["play store", "Google Play"],
  ["apikey", "API keys"],
  ["pause campaign", "Campaigns"],
  ["analytics", "Overview"],
  ["log", "Audit log"],
  ["rename app", "Settings"],
  ["switch app", "All apps"],
])("%s leads to %s first", (text, name) => {
  const fits = all.map((place) => ({ place, fit: fitOf(place.name, text, place.keywords) }));
  const [best] = fits.toSorted((a, b) => b.fit - a.fit);
  expect(best?.fit).toBeGreaterThan(0);
  expect(best?.place.name).toBe(name);
});

test.each(["dark", "anna", "xyzzy", "refunds for bob", "test123"])("%s names no page", (text) => {
  expect(all.filter(({ name, keywords }) => fitOf(name, text, keywords) > 0)).toEqual([]);
});

test.each(["swift", "xcode", "patch", "charge", "user1", "test1", "code1"])(
  "%s is no mistyped word",
  (text) => {
    const found = all.filter((place) => fitOf(place.name, text, place.keywords) > 0);
    expect(found.map(({ name }) => name)).toEqual([]);
  },
);

test("a text with a mistyped word fits less than every text without", () => {
  const mistyped = fitOf("Create campaign", "create capmaign");
  expect(mistyped).toBeGreaterThan(0);
  expect(mistyped).toBeLessThan(fitOf("Alerts", "lack", "slack"));
});
