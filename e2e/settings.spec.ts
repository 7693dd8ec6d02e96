import { readFileSync } from "node:fs";
import { get } from "node:http";
import { eq } from "drizzle-orm";
import { expect, test } from "playwright/test";
import { apps, landingDomains } from "@/lib/db/schema";
import { ask } from "./parts/api";
import { inDatabase } from "./parts/database";
import { withOwnSample } from "./parts/own-sample";
import { complaintsOf, expectSound } from "./parts/sound";

const own = withOwnSample("--live", "--codes", "20", "--threshold", "1");
const room = (path = "") => `/dashboard/apps/${own.current.app_id}/settings${path}`;

/** A blue picture of 40 by 20 pixels. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAJElEQVR4nGOQ9bsxIIhh1OJRi0ctHrV41OJRi0ctHrV45FgMALhD8Y6wVrIIAAAAAElFTkSuQmCC",
  "base64",
);

test("an app gets another name and an icon; a wrong field says what it wants", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto(room());
  await page.getByLabel("Name").fill("Renamed");
  await page.getByLabel("Team ID").fill("blue");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This must be the 10 letters and digits of your Apple team")).toBeVisible();
  await expect(page.getByLabel("Team ID")).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("Renamed");
  await page.getByLabel("Team ID").fill("A1B2C3D4E5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Renamed/ })).toBeVisible();

  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PICTURE });
  const icon = page.locator("img[src^='/icons/']");
  await expect(icon).toBeVisible();
  const side = () => icon.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(side).toEqual([256, 256]);
  await expectSound(page);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(icon).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("one person is exported, then erased, and gets no second code", async ({ page, request }) => {
  const key = own.current.api_key;
  const { metacode } = await (await ask(request, key, "referrer", { uid: "anna" })).json();
  const redeem = () => ask(request, key, "referee-redeem", { referee_uid: "bob", metacode, platform: "ios" });
  const { code } = await (await redeem()).json();
  await page.goto(room("/privacy"));
  await page.getByLabel("User ID").fill("bob");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as JSON" }).click();
  const person = JSON.parse(readFileSync((await (await download).path()) ?? "", "utf8"));
  expect(person).toMatchObject({ uid: "bob", referrals: [{ status: "code_assigned", code }] });
  expect(JSON.stringify(person)).not.toContain("anna");

  await page.getByRole("button", { name: "Erase…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Erase for good" })).toBeDisabled();
  await dialog.getByRole("textbox").fill("bob");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await expect(page.getByText("The person was erased")).toBeVisible();
  const again = await redeem();
  expect([again.status(), (await again.json()).error.code]).toEqual([409, "ALREADY_REDEEMED"]);
  await page.getByLabel("User ID").fill("bob");
  await page.getByRole("button", { name: "Export as JSON" }).click();
  await expect(page.getByText("Nothing is stored of this uid")).toBeVisible();
});

test("a sandbox is made, tried out and reset; the live app is not touched", async ({ page }) => {
  await page.goto(room("/sandbox"));
  await page.getByRole("button", { name: "Create a sandbox" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create a sandbox" }).click();
  await page.waitForURL((url) => !url.pathname.includes(own.current.app_id));
  const twin = new URL(page.url()).pathname;
  await page.goto(`${twin}/settings/sandbox`);
  await page.getByLabel("Referee’s user ID").fill("no-such-referee");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText("No referral of this person waits for that")).toBeVisible();
  await page.getByRole("button", { name: "Reset" }).click();
  await dialog.getByRole("textbox").fill("Renamed sandbox");
  await dialog.getByRole("button", { name: "Reset the sandbox" }).click();
  await expect(page.getByText("The sandbox is as new")).toBeVisible();
  await page.goto(`${twin}/providers/unmatched`);
  await expect(page.getByText("no-such-referee")).toHaveCount(0);
  await page.goto(room("/sandbox"));
  await expect(page.getByRole("link", { name: "Open the sandbox" })).toHaveAttribute("href", twin);
});

test("the palette goes to a room and finds a person by keyboard alone", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto(`/dashboard/apps/${own.current.app_id}`);
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(palette.getByRole("option", { name: "Campaigns", exact: true })).toBeVisible();
  await page.keyboard.type("ann");
  await expect(palette.getByRole("option", { name: /^anna/ })).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/referrers\/[0-9a-f-]{36}$/);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("requests");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/requests");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("a deleted app is unknown at once, and comes back", async ({ page, request }) => {
  const status = async () => (await ask(request, own.current.api_key, "referrer", { uid: "anna" })).status();
  await page.goto(room("/delete"));
  await page.getByRole("button", { name: "Delete app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Renamed");
  await dialog.getByRole("button", { name: "Delete app" }).click();
  await page.waitForURL("**/dashboard");
  expect(await status()).toBe(401);
  expect((await page.request.get(room())).status()).toBe(404);
  await page.getByRole("button", { name: "Restore Renamed" }).click();
  await expect(page.getByText("“Renamed” is back")).toBeVisible();
  expect(await status()).toBe(200);
});

/** What our server answers under a Host header, which a browser would not let us choose. */
const statusAt = (host: string, url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });

test("a domain: the records to write are shown, and once it is proved no dashboard is on it", async ({
  page,
  baseURL,
}) => {
  const complaints = complaintsOf(page);
  const domain = "invite.shop.example";
  await page.goto(room("/domain"));
  const field = page.locator("input[name=landingDomain]");
  await field.fill("co.uk");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/below co\.uk/)).toBeVisible();
  await field.fill("https://Invite.Shop.Example/");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`_metacode.${domain}`, { exact: true })).toBeVisible();
  await expect(page.getByText(`metacode-app=${own.current.app_id}`, { exact: true })).toBeVisible();
  await expect(field).toHaveValue(domain);
  await expectSound(page);
  const appId = own.current.app_id;
  await inDatabase(async ({ orm }) => {
    await orm.insert(landingDomains).values({ domain, appId });
    await orm.update(apps).set({ landingDomainVerifiedAt: new Date() }).where(eq(apps.id, appId));
  });
  await page.reload();
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
  await expectSound(page);
  expect(await statusAt(domain, `${baseURL}/sign-in`)).toBe(404);
  expect(await statusAt(new URL(baseURL ?? "").host, `${baseURL}/sign-in`)).toBe(200);
  expect(complaints).toEqual([]);
});
