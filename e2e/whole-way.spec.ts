import { expect, type Page, test } from "playwright/test";
import { recorded } from "@/lib/testing/recorded";
import { startVerifier, type Verifier } from "@/lib/testing/webhook-receiver";
import { ask } from "./parts/api";
import { appears } from "./parts/appears";
import { withOwnSample } from "./parts/own-sample";
import { complaintsOf, expectSound } from "./parts/sound";

const own = withOwnSample("--threshold", "1", "--codes", "20");

const room = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;

/** The person of RevenueCat's own recorded event. */
const FRIEND = "1234567890";

let secret = "";
let verifier: Verifier;
test.beforeAll(async () => {
  verifier = await startVerifier(() => secret);
});
test.afterAll(() => verifier.stop());

/** What the dialog shows once: the address, where there is one, and the secret. */
async function revealed(page: Page): Promise<{ url: string; secret: string }> {
  const dialog = page.getByRole("dialog");
  const shown = (await dialog.getByTestId("secret").textContent()) ?? "";
  const url = (await dialog.locator("code").first().textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored the secret" }).click();
  return { url, secret: shown };
}

async function connect(page: Page): Promise<{ url: string; secret: string }> {
  await page.goto(room("providers"));
  await page.getByRole("button", { name: "Connect a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Provider").selectOption("RevenueCat");
  await dialog.getByLabel("Name").fill("Our shop");
  await dialog.getByRole("button", { name: "Create the address" }).click();
  return revealed(page);
}

async function addEndpoint(page: Page): Promise<void> {
  await page.goto(room("webhooks"));
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("dialog").getByLabel("Address").fill(verifier.url);
  await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
  secret = (await revealed(page)).secret;
}

test("a purchase that RevenueCat tells of is confirmed, earns a reward and is told on, each with its payload", async ({
  page,
  request,
}) => {
  const complaints = complaintsOf(page);
  await addEndpoint(page);
  const connection = await connect(page);
  const { api_key: key } = own.current;
  const { metacode, referrer_id } = await (await ask(request, key, "referrer", { uid: "ann" })).json();
  await ask(request, key, "referee-redeem", { referee_uid: FRIEND, metacode, platform: "ios" });
  const told = await request.post(new URL(connection.url).pathname, {
    headers: { authorization: connection.secret },
    data: recorded("initial_purchase"),
  });
  expect(await told.json()).toEqual({ status: "confirmed", matched: true });

  await page.goto(room("providers"));
  await page.getByRole("link", { name: "Our shop" }).click();
  await page.waitForURL(/providers\/[0-9a-f-]{36}$/);
  await appears(page, page.getByRole("link", { name: "INITIAL_PURCHASE" }));
  await page.getByRole("link", { name: "INITIAL_PURCHASE" }).click();
  await page.getByText("What was sent").click();
  await expect(page.getByText(`"app_user_id": "${FRIEND}"`)).toBeVisible();
  await page.getByRole("link", { name: "Open the referral" }).click();
  await page.waitForURL(/referrals\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Confirmed", { exact: true }).first()).toBeVisible();
  await page.goto(room(`referrers/${referrer_id}`));
  await expect(page.getByText("1 to claim")).toBeVisible();
  await expect(page.getByRole("cell", { name: "iOS 1" }).first()).toBeVisible();
  const { stats } = await (await ask(request, key, "referrer", { uid: "ann" })).json();
  expect(stats).toMatchObject({ referrals_count: 1, rewards_earned: 1 });

  await page.goto(room("webhooks"));
  await page.getByRole("link", { name: verifier.url }).click();
  await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/);
  await appears(page, page.getByRole("link", { name: "reward.earned" }));
  await page.getByRole("link", { name: "referral.redeemed" }).click();
  await expect(page.getByText(`"referee_uid": "${FRIEND}"`)).toBeVisible();
  await expect(page.getByLabel("Attempts").getByText("204")).toBeVisible();
  await expectSound(page);
  expect(complaints).toEqual([]);

  expect(verifier.forged).toEqual([]);
  const ofFriend = verifier.accepted.filter(({ data }) => data.referee_uid === FRIEND);
  expect(ofFriend.map(({ type }) => type)).toEqual(["referral.code_assigned", "referral.redeemed"]);
});
