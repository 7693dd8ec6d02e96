import { expect, test } from "playwright/test";
import sharp from "sharp";
import { expectAccessible, openHydrated } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { PICTURE } from "./parts/picture";

const own = withSample({ codes: 20 });
const settingsPath = () => `/dashboard/apps/${own.current.app_id}/settings`;

test("an icon that another page saved first is shown beside the chosen one, which is then saved or dropped", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  const file = (buffer: Buffer) => ({ name: "a.png", mimeType: "image/png", buffer });
  for (const tab of [page, other]) await openHydrated(tab, settingsPath());
  await other.locator("input[type=file]").setInputFiles(file(PICTURE));
  await expect(other.getByText("Icon saved")).toBeVisible();
  const red = { create: { width: 64, height: 64, channels: 3, background: "#c00" } } as const;
  await page.locator("input[type=file]").setInputFiles(file(await sharp(red).png().toBuffer()));
  const both = page.getByRole("table", { name: "Both versions" });
  await expect(both.getByRole("rowheader")).toHaveText("Icon");
  const pictures = both.getByRole("img");
  const sides = () =>
    pictures.evaluateAll((images: HTMLImageElement[]) => images.map((image) => image.naturalWidth));
  await expect.poll(sides).toEqual([256, 256]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save mine anyway" }).click();
  await expect(page.getByText("Icon saved")).toBeVisible();
  await expect(both).toHaveCount(0);
  await other.getByRole("button", { name: "Remove" }).click();
  await expect(other.getByRole("table", { name: "Both versions" })).toContainText("Empty");
  await other.getByRole("button", { name: "Discard mine and reload" }).click();
  await expect(other.getByRole("button", { name: "Change picture" })).toBeVisible();
  await other.getByRole("button", { name: "Remove" }).click();
  await expect(other.getByRole("button", { name: "Choose picture" })).toBeVisible();
});

test("an icon chosen without a network is saved by a second try", async ({ page, context }) => {
  await openHydrated(page, settingsPath());
  await context.setOffline(true);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PICTURE });
  await expect(page.getByText("You are offline. Nothing was saved")).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Icon saved")).toBeVisible();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Choose picture" })).toBeVisible();
});
