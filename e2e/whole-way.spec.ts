import { expect, type Page, test } from "playwright/test";
import { browserErrors, expectAccessible, reloadUntilVisible } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { startVerifier, type Verifier } from "@/lib/testing/webhooks/verifier";
import { callApi } from "./parts/api";

const own = withSample({ threshold: 1, codes: 20 });

const pagePath = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;

/** The user ID in RevenueCat's recorded event. */
const FRIEND = "1234567890";

let secret = "";
let verifier: Verifier;
test.beforeAll(async () => {
  verifier = await startVerifier(() => secret);
});
test.afterAll(() => verifier.stop());

/** The address, if any, and the secret that the dialog shows once. */
async function revealed(page: Page): Promise<{ url: string; secret: string }> {
  const dialog = page.getByRole("dialog");
  const shown = (await dialog.getByTestId("secret").textContent()) ?? "";
  const url = (await dialog.locator("code").first().textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored the secret" }).click();
  return { url, secret: shown };
}

async function connect(page: Page): Promise<{ url: string; secret: string }> {
  await page.goto(pagePath("providers"));
  await page.getByRole("button", { name: "Connect a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "RevenueCat" }).check();
  await dialog.getByLabel("Name").fill("Our shop");
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  return revealed(page);
}

async function addEndpoint(page: Page): Promise<void> {
  await page.goto(pagePath("webhooks"));
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("dialog").getByLabel("Address").fill(verifier.url);
  await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
  secret = (await revealed(page)).secret;
}

test("a purchase reported by RevenueCat is confirmed, earns a reward and is sent to the webhook, each with its payload", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  await addEndpoint(page);
  const connection = await connect(page);
  const { api_key: key } = own.current;
  const { metacode, referrer_id } = await (await callApi(request, key, "referrer", { uid: "ann" })).json();
  await callApi(request, key, "referee-redeem", { referee_uid: FRIEND, metacode, platform: "ios" });
  const reported = await request.post(new URL(connection.url).pathname, {
    headers: { authorization: connection.secret },
    data: recorded("initial_purchase"),
  });
  expect(await reported.json()).toEqual({ status: "confirmed", matched: true });

  await page.goto(pagePath("providers"));
  await page.getByRole("link", { name: "Our shop" }).click();
  await page.waitForURL(/providers\/[0-9a-f-]{36}$/);
  await reloadUntilVisible(page, page.getByRole("link", { name: "INITIAL_PURCHASE" }));
  await page.getByRole("link", { name: "INITIAL_PURCHASE" }).click();
  await page.getByText("Payload", { exact: true }).click();
  await expect(page.getByText(`"app_user_id": "${FRIEND}"`)).toBeVisible();
  await page.getByRole("link", { name: "Open the referral" }).click();
  await page.waitForURL(/referrals\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Confirmed", { exact: true }).first()).toBeVisible();
  await page.goto(pagePath(`referrers/${referrer_id}`));
  await expect(page.getByText("1 can be claimed")).toBeVisible();
  await expect(page.getByRole("cell", { name: "iOS 1" }).first()).toBeVisible();
  const { stats } = await (await callApi(request, key, "referrer", { uid: "ann" })).json();
  expect(stats).toMatchObject({ referrals_count: 1, rewards_earned: 1 });

  await page.goto(pagePath("webhooks"));
  await page.getByRole("link", { name: verifier.url }).click();
  await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/);
  await reloadUntilVisible(page, page.getByRole("link", { name: "reward.earned" }));
  await page.getByRole("link", { name: "referral.redeemed" }).click();
  await expect(page.getByText(`"referee_uid": "${FRIEND}"`)).toBeVisible();
  await reloadUntilVisible(page, page.getByLabel("Attempts").getByText("204", { exact: true }));
  await expectAccessible(page);
  expect(errors).toEqual([]);

  expect(verifier.forged).toEqual([]);
  const ofFriend = verifier.accepted.filter(({ data }) => data.referee_uid === FRIEND);
  expect(ofFriend.map(({ type }) => type)).toEqual(["referral.code_assigned", "referral.redeemed"]);
});
