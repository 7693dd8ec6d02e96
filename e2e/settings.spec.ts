import { readFileSync } from "node:fs";
import { get } from "node:http";
import { eq } from "drizzle-orm";
import { expect, type Locator, test } from "playwright/test";
import {
  browserErrors,
  DESKTOP_VIEWPORT,
  expectAccessible,
  openPalette,
  PHONE_VIEWPORT,
} from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { callApi } from "./parts/api";
import { inDatabase } from "./parts/database";
import { PICTURE } from "./parts/picture";

const own = withSample({ live: true, codes: 20, threshold: 1 });
const settingsPath = (path = "") => `/dashboard/apps/${own.current.app_id}/settings${path}`;

test("an app gets another name and an icon; an invalid field says which values it accepts", async ({
  page,
}) => {
  const errors = browserErrors(page);
  await page.goto(settingsPath());
  await page.getByLabel("Name").fill("Renamed");
  await page.getByLabel("Team ID").fill("blue");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This must be the 10 letters and digits of your Apple team")).toBeVisible();
  await expect(page.getByLabel("Team ID")).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("Renamed");
  await page.getByLabel("Team ID").fill("A1B2C3D4E5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Renamed/ })).toBeVisible();
  for (const [path, title] of [
    ["/delete", "Delete · Settings · Renamed · Metacode"],
    ["", "Settings · Renamed · Metacode"],
  ] as const) {
    await page.goto(settingsPath(path));
    await expect(page).toHaveTitle(title);
  }

  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PICTURE });
  const icon = page.locator("img[src^='/icons/']");
  await expect(icon).toBeVisible();
  const side = () => icon.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(side).toEqual([256, 256]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(icon).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("the settings and the import are as wide as the other pages of an app", async ({ page }) => {
  await page.setViewportSize(DESKTOP_VIEWPORT);
  const base = `/dashboard/apps/${own.current.app_id}`;
  const widthOf = async (path: string, part: Locator) => {
    await page.goto(`${base}/${path}`);
    return (await part.boundingBox())?.width;
  };
  const usual = await widthOf("alerts", page.getByRole("region", { name: "Recipients" }));
  expect(usual).toBeGreaterThan(900);
  for (const [path, part] of [
    ["settings", page.getByRole("navigation", { name: "Settings" })],
    ["settings", page.getByRole("region", { name: "Identity" })],
    ["settings/rules", page.getByRole("region", { name: "Retries and fraud" })],
    ["codes/import", page.getByRole("navigation", { name: "Type of codes" })],
  ] as const) {
    expect.soft(await widthOf(path, part), path).toBe(usual);
  }
});

test("the pages outside an app begin where the header does", async ({ page }) => {
  await page.setViewportSize(DESKTOP_VIEWPORT);
  const left = async (path: string) => {
    await page.goto(path);
    return (await page.getByRole("heading", { level: 1 }).boundingBox())?.x;
  };
  const usual = await left("/dashboard");
  expect(usual).toBeGreaterThan(0);
  for (const path of ["/dashboard/account", "/dashboard/workspaces/new"]) {
    expect.soft(await left(path), path).toBe(usual);
  }
});

test("on a phone, the tabs that follow the first ones are seen as well", async ({ page }) => {
  await page.setViewportSize(PHONE_VIEWPORT);
  await page.goto(settingsPath("/delete"));
  await expect(page.getByRole("link", { name: "Delete", exact: true })).toBeInViewport({ ratio: 0.9 });
});

test("an end user is exported, then erased, and gets no second code", async ({ page, request }) => {
  const key = own.current.api_key;
  const { metacode } = await (await callApi(request, key, "referrer", { uid: "anna" })).json();
  const redeem = () =>
    callApi(request, key, "referee-redeem", { referee_uid: "bob", metacode, platform: "ios" });
  const { code } = await (await redeem()).json();
  await page.goto(settingsPath("/privacy"));
  await page.getByLabel("User ID").fill("bob");
  // Requests are written once a second, and one written after the erasure would name the person.
  await expect(async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as JSON" }).click();
    const person = JSON.parse(readFileSync((await (await download).path()) ?? "", "utf8"));
    expect(person).toMatchObject({ uid: "bob", referrals: [{ status: "code_assigned", code }] });
    expect(JSON.stringify(person)).not.toContain("anna");
    expect(person.requests).toHaveLength(1);
  }).toPass();

  await page.getByRole("button", { name: "Erase end user" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Erase end user" })).toBeDisabled();
  await dialog.getByRole("textbox").fill("bob");
  await dialog.getByRole("button", { name: "Erase end user" }).click();
  await expect(page.getByText("End user erased")).toBeVisible();
  await page.getByLabel("User ID").fill("bob");
  await page.getByRole("button", { name: "Export as JSON" }).click();
  await expect(page.getByText("Nothing is stored about this uid")).toBeVisible();
  const again = await redeem();
  expect([again.status(), (await again.json()).error.code]).toEqual([409, "ALREADY_REDEEMED"]);
});

test("a sandbox is created, used and reset; the live app stays unchanged", async ({ page }) => {
  await page.goto(settingsPath("/sandbox"));
  await page.getByRole("button", { name: "Create sandbox" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create sandbox" }).click();
  await page.waitForURL((url) => !url.pathname.includes(own.current.app_id));
  const twin = new URL(page.url()).pathname;
  await page.goto(`${twin}/settings/sandbox`);
  await page.getByLabel("Referee’s user ID").fill("no-such-referee");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText("No referral of this user matches this event")).toBeVisible();
  await page.getByRole("button", { name: "Reset sandbox" }).click();
  await dialog.getByRole("textbox").fill("Renamed sandbox");
  await dialog.getByRole("button", { name: "Reset sandbox" }).click();
  await expect(page.getByText("Sandbox reset")).toBeVisible();
  await page.goto(`${twin}/providers/unmatched`);
  await expect(page.getByText("no-such-referee")).toHaveCount(0);
  await page.goto(settingsPath("/sandbox"));
  await expect(page.getByRole("link", { name: "Open the sandbox" })).toHaveAttribute("href", twin);
});

test("the palette opens a page and finds an end user by keyboard alone", async ({ page }) => {
  const errors = browserErrors(page);
  await page.goto(`/dashboard/apps/${own.current.app_id}`);
  const palette = await openPalette(page);
  await expect(palette.getByRole("option", { name: "Campaigns", exact: true })).toBeVisible();
  await page.keyboard.type("ann");
  await expect(palette.getByRole("option", { name: /^anna/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/referrers\/[0-9a-f-]{36}$/);
  await openPalette(page);
  await page.keyboard.type("requests");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/requests");
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a deleted app is unknown at once, and can be restored", async ({ page, request }) => {
  const status = async () =>
    (await callApi(request, own.current.api_key, "referrer", { uid: "anna" })).status();
  await page.goto(settingsPath("/delete"));
  await page.getByRole("button", { name: "Delete app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Renamed");
  await dialog.getByRole("button", { name: "Delete app" }).click();
  await page.waitForURL("**/dashboard");
  expect(await status()).toBe(401);
  expect((await page.request.get(settingsPath())).status()).toBe(404);
  await page.getByRole("button", { name: "Restore Renamed" }).click();
  await expect(page.getByText("“Renamed” was restored")).toBeVisible();
  expect(await status()).toBe(200);
});

/** The status of our server's response to a Host header, which a browser does not let a test choose. */
const statusAt = (host: string, url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });

test("a domain: the records to write are shown, and once it is proved no dashboard is on it", async ({
  page,
  baseURL,
}) => {
  const errors = browserErrors(page);
  const domain = "invite.shop.example";
  await page.goto(settingsPath("/domain"));
  const field = page.locator("input[name=landingDomain]");
  await field.fill("co.uk");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/below co\.uk/)).toBeVisible();
  await field.fill("https://Invite.Shop.Example/");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`_metacode.${domain}`, { exact: true })).toBeVisible();
  await expect(page.getByText(`metacode-app=${own.current.app_id}`, { exact: true })).toBeVisible();
  await expect(field).toHaveValue(domain);
  await expectAccessible(page);
  const appId = own.current.app_id;
  await inDatabase(async ({ orm }) => {
    await orm.insert(landingDomains).values({ domain, appId });
    await orm.update(apps).set({ landingDomainVerifiedAt: new Date() }).where(eq(apps.id, appId));
  });
  await page.reload();
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
  await expectAccessible(page);
  expect(await statusAt(domain, `${baseURL}/sign-in`)).toBe(404);
  expect(await statusAt(new URL(baseURL ?? "").host, `${baseURL}/sign-in`)).toBe(200);
  expect(errors).toEqual([]);
});
