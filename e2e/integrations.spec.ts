import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import { browserErrors, expectAccessible, PHONE_VIEWPORT, reloadUntilVisible } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { callApi, sendRevenueCatEvent } from "./parts/api";

const own = withSample({ threshold: 1, codes: 20 });

const pagePath = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;

/** A purchase as RevenueCat reports it; returns the answer's status and the outcome. */
async function purchase(request: APIRequestContext, url: string, authorization: string, uid: string) {
  const response = await sendRevenueCatEvent(request, { url, authorization }, uid);
  return [response.status(), (await response.json()).status];
}

async function redeem(request: APIRequestContext, uid: string): Promise<void> {
  const { metacode } = await (await callApi(request, own.current.api_key, "referrer", { uid: "ann" })).json();
  const answer = await callApi(request, own.current.api_key, "referee-redeem", {
    referee_uid: uid,
    metacode,
    platform: "ios",
  });
  expect(answer.status()).toBe(200);
}

/** Picks an entry of the menu at the head of a page. */
async function choose(page: Page, menu: RegExp, entry: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Reads the secret that is shown once, and expects that no later page contains it. */
async function takeSecret(page: Page): Promise<string> {
  const secret = (await page.getByTestId("secret").textContent()) ?? "";
  await page.getByRole("button", { name: "I have stored the secret" }).click();
  await page.reload();
  expect(await page.content()).not.toContain(secret);
  return secret;
}

test.describe("a provider", () => {
  test("is connected, reports a purchase, and accepts the old secret beside the new one", async ({
    page,
    request,
  }) => {
    const errors = browserErrors(page);
    await page.goto(pagePath("providers"));
    await page.getByRole("button", { name: "Connect a provider" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Shop");
    await page.getByRole("dialog").getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText("In RevenueCat, open your project")).toBeVisible();
    const url = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
    const first = await takeSecret(page);
    await page.getByRole("link", { name: "Shop" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/ShopNo events yet$/);

    await redeem(request, "shop-friend");
    expect(await purchase(request, url, "wrong", "shop-friend")).toEqual([401, undefined]);
    await reloadUntilVisible(page, page.getByText("Refused", { exact: true }).first());
    expect(await purchase(request, url, first, "shop-friend")).toEqual([200, "confirmed"]);

    await page.reload();
    await choose(page, /^Actions for Shop/, "Replace secret");
    await page.getByLabel("Old secret").selectOption("1h");
    await page.getByRole("button", { name: "Create new secret" }).click();
    const second = await takeSecret(page);
    for (const secret of [first, second]) {
      expect((await purchase(request, url, secret, "unknown"))[0]).toBe(200);
    }
    await page.reload();
    await expect(page.getByText(/old secret works until/)).toBeVisible();
    await page.getByRole("link", { name: "INITIAL_PURCHASE" }).last().click();
    await page.waitForURL(/event=/);
    await page.getByText("Payload", { exact: true }).click();
    await expect(page.getByText('"app_user_id": "shop-friend"')).toBeVisible();
    await expect(page.getByRole("link", { name: "Open the referral" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Replay", exact: true })).toHaveCount(0);
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  test("is tested in a sandbox with a test event", async ({ page, request }) => {
    await redeem(request, "test-friend");
    await page.goto(pagePath("providers"));
    await page.getByRole("link", { name: "Your own server" }).click();
    await page.getByLabel("User ID").fill("test-friend");
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText("Confirmed. This event confirmed the referral of this user.")).toBeVisible();
    await expect(page.getByRole("link", { name: "referral.confirm" })).toBeVisible();
  });

  test("is renamed, disabled and deleted by its name", async ({ page, request }) => {
    await page.goto(pagePath("providers"));
    await page.getByRole("link", { name: "Shop" }).click();
    const address = (await page.getByRole("definition").locator("code").first().textContent()) ?? "";
    await choose(page, /^Actions for Shop/, "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("Old shop");
    await page.getByRole("button", { name: "Save" }).click();
    await choose(page, /^Actions for Old shop/, "Count web purchases");
    await page.getByRole("dialog").getByRole("button", { name: "Count" }).click();
    await expect(page.getByText("Counted", { exact: true })).toBeVisible();
    await choose(page, /^Actions for Old shop/, "Disable");
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await expect(page.getByText("Disabled", { exact: true })).toBeVisible();
    await choose(page, /^Actions for Old shop/, "Delete");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Delete connection" })).toBeDisabled();
    await dialog.getByLabel("Type Old shop to confirm").fill("Old shop");
    await dialog.getByRole("button", { name: "Delete connection" }).click();
    await page.waitForURL(`**${pagePath("providers")}`);
    await expect(page.getByRole("link", { name: "Old shop" })).toHaveCount(0);
    expect((await purchase(request, address, "any", "x"))[0]).toBe(404);
  });
});

const [EARLY, OTHER, PASSER] = ["early", "other", "passer"].map((name) => `$RCAnonymousID:${name}`) as [
  string,
  string,
  string,
];

test.describe("an unmatched event", () => {
  test("is replayed once the person has redeemed, or linked by hand", async ({ page, request }) => {
    const { url, authorization } = own.current.providers.revenuecat;
    await redeem(request, "known-id");
    for (const uid of [EARLY, OTHER]) await purchase(request, url, authorization, uid);
    await page.goto(pagePath("providers/unmatched"));
    await expect(page.getByText("Anonymous ID").first()).toBeVisible();
    await page.getByRole("button", { name: `Replay ${EARLY}` }).click();
    await expect(page.getByRole("dialog")).toContainText("cannot be unlinked");
    await page.getByRole("dialog").getByRole("button", { name: "Replay event" }).click();
    await expect(page.getByText("Replayed: unmatched")).toBeVisible();
    // A redemption within an hour of the purchase is confirmed by a round that runs every few seconds.
    await redeem(request, EARLY);
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
      await expect(page.getByText(EARLY)).toHaveCount(0, { timeout: 1_000 });
    }).toPass();

    await page.getByRole("button", { name: "Replay many" }).click();
    await page.getByRole("button", { name: "Replay events" }).click();
    await expect(page.getByText(/^Done: .*still unmatched/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    await page.getByRole("link", { name: /:other/ }).click();
    await page.getByLabel("User ID of the referee").fill("known");
    await page.keyboard.press("Enter");
    await page.waitForURL(/uid=known/);
    await page.setViewportSize(PHONE_VIEWPORT);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Link to known-id" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("The user sent the receipt");
    await page.getByRole("dialog").getByRole("button", { name: "Link event" }).click();
    await expect(page.getByRole("link", { name: "Open the referral" })).toBeVisible();
  });

  test("is dismissed and put back", async ({ page, request }) => {
    const { url, authorization } = own.current.providers.revenuecat;
    for (const uid of [`${PASSER}-2`, PASSER]) await purchase(request, url, authorization, uid);
    await page.goto(pagePath("providers/unmatched"));
    await page.getByRole("button", { name: `Dismiss ${PASSER}`, exact: true }).click();
    await expect(page.getByRole("button", { name: `Dismiss ${PASSER}`, exact: true })).toHaveCount(0);
    await expect(
      page
        .getByRole("listitem")
        .getByRole("link", { name: /^Review/ })
        .first(),
    ).toBeFocused();
    await page.getByLabel("Outcome").selectOption("dismissed");
    await page.getByRole("button", { name: `Put back ${PASSER}`, exact: true }).click();
    await expect(page.getByRole("main")).toBeFocused();
    await page.getByLabel("Outcome").selectOption("");
    await expect(page.getByRole("button", { name: `Dismiss ${PASSER}`, exact: true })).toBeVisible();
  });
});

/** The contrast between the frame of the empty state and the page around it. */
function frameContrast(page: Page): Promise<number> {
  const frame = page.getByRole("heading", { name: "No endpoints yet" }).locator("xpath=../..");
  return frame.evaluate((shown) => {
    const drawing = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!drawing) throw new Error("a canvas draws");
    /** The luminance of a colour over those below it. */
    const luminance = (...colours: string[]) => {
      for (const colour of colours) {
        drawing.fillStyle = colour;
        drawing.fillRect(0, 0, 1, 1);
      }
      const [r = 0, g = 0, b = 0] = [...drawing.getImageData(0, 0, 1, 1).data].map((value) => {
        return value > 10 ? ((value / 255 + 0.055) / 1.055) ** 2.4 : value / 3295;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const around = getComputedStyle(document.body).backgroundColor;
    const ends = [luminance(around), luminance(around, getComputedStyle(shown).borderTopColor)];
    return (Math.max(...ends) + 0.05) / (Math.min(...ends) + 0.05);
  });
}

test.describe("a webhook endpoint", () => {
  test("is added, changed, given a new secret and deleted", async ({ page }) => {
    const errors = browserErrors(page);
    await page.setViewportSize(PHONE_VIEWPORT);
    await page.goto(pagePath("webhooks"));
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("https://192.168.1.1/hooks");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await expect(dialog.getByText("must be on a public host")).toBeVisible();
    await expect(dialog.getByRole("checkbox", { name: /referral\.clicked/ })).not.toBeChecked();
    await expectAccessible(page);
    await dialog.getByLabel("Address").fill("https://api.acme.com/hooks");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    expect(await takeSecret(page)).toMatch(/^whsec_/);
    await expect(page.getByText("All events except referral.clicked", { exact: true })).toBeVisible();
    await expect(page.getByText("No deliveries yet")).toBeVisible();
    await page.getByRole("link", { name: "https://api.acme.com/hooks" }).click();

    await choose(page, /^Actions for https/, "Edit");
    const group = dialog.getByRole("checkbox", { name: "Pools and campaigns", exact: true });
    const low = dialog
      .getByRole("group", { name: "Pools and campaigns" })
      .getByRole("checkbox", { name: /pool\.low/ });
    await group.uncheck();
    await expect(low).not.toBeChecked();
    await group.check();
    await low.uncheck();
    await expect(group).toHaveJSProperty("indeterminate", true);
    await expect(dialog.getByRole("button", { name: "Save" })).toBeInViewport({ ratio: 1 });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("All events except referral.clicked, pool.low")).toBeVisible();
    await choose(page, /^Actions for https/, "Replace secret");
    await dialog.getByRole("button", { name: "Create new secret" }).click();
    expect(await takeSecret(page)).toMatch(/^whsec_/);
    await expect(page.getByText(/the old secret signs as well until/)).toBeVisible();
    await expectAccessible(page);
    await choose(page, /^Actions for https/, "Delete");
    await dialog.getByLabel("Type api.acme.com to confirm").fill("api.acme.com");
    await dialog.getByRole("button", { name: "Delete endpoint" }).click();
    await page.waitForURL(`**${pagePath("webhooks")}`);
    await expect(page.getByText("No endpoints yet", { exact: true })).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect.poll(() => frameContrast(page), colorScheme).toBeGreaterThan(1.5);
    }
    expect(errors).toEqual([]);
  });
});
