import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import { uuidv7 } from "uuidv7";
import { callApi } from "@/e2e/parts/api";
import { PHONE_VIEWPORT, reloadUntilVisible } from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import {
  answerQuestion,
  countedClick,
  expectFewClicks,
  memberCookies,
  searchFor,
  startCounting,
} from "@/e2e/parts/tickets";
import type { SessionCookie } from "./parts/sign-in";

const own = withSample({ live: true, threshold: 2, codes: 60 });

let support: SessionCookie[];
let metacode = "";

test.beforeAll(async ({ request }) => {
  support = await memberCookies("support", own.current.workspace_id);
  metacode = (await api(request, "referrer", { uid: "greta" })).metacode;
});

async function api(request: APIRequestContext, path: string, data: object) {
  return (await callApi(request, own.current.api_key, path, data)).json();
}

const search = (page: Page, text: string, result: RegExp) =>
  searchFor(page, own.current.app_id, text, result);

const redeem = (request: APIRequestContext, uid: string, platform = "ios", code = metacode) =>
  api(request, "referee-redeem", { referee_uid: uid, metacode: code, platform });

interface SentEvent {
  type?: string;
  environment?: "PRODUCTION" | "SANDBOX";
  secret?: string;
}

/** A purchase as RevenueCat reports it. */
function buy(request: APIRequestContext, uid: string, options: SentEvent = {}) {
  const { url, authorization } = own.current.providers.revenuecat;
  const { type = "INITIAL_PURCHASE", environment = "PRODUCTION", secret = authorization } = options;
  const bought = { store: "APP_STORE", environment, period_type: "NORMAL", event_timestamp_ms: Date.now() };
  const data = { api_version: "1.0", event: { id: uuidv7(), type, app_user_id: uid, ...bought } };
  return request.post(new URL(url).pathname, { headers: { authorization: secret }, data });
}

test.describe("a ticket to support is solved in a few clicks after the search", () => {
  test.beforeEach(async ({ context }) => {
    await context.clearCookies();
    await context.addCookies(support);
  });
  test.afterEach(expectFewClicks);

  test("1: my friend's code does not work, because it was mistyped", async ({ page, request }) => {
    const typed = metacode.slice(0, -1) + (metacode.endsWith("2") ? "3" : "2");
    await redeem(request, "milo", "ios", typed);
    await search(page, "milo", /milo/);
    await expect(page.getByText("one character away from")).toBeVisible();
    await expect(page.getByText("on iOS")).toBeVisible();
    await search(page, typed, /one character away/);
    await expect(page.getByText(metacode).first()).toBeVisible();
  });

  test("2: I invited friends and got no reward", async ({ page, request }) => {
    const { metacode: uma } = await api(request, "referrer", { uid: "uma-who-waits" });
    await redeem(request, "nora", "ios", uma);
    await buy(request, "nora");
    await redeem(request, "omar", "ios", uma);
    await buy(request, "$RCAnonymousID:omar");
    await search(page, "uma-who-waits", /uma-who-waits.*referrer/i);
    await expect(page.getByText("Next reward at 2").first()).toBeVisible();
    await expect(page.getByRole("row", { name: /nora/ })).toContainText("Confirmed");
    await countedClick(page.getByRole("link", { name: "omar" }).first());
    await expect(page.getByText("1 purchase of this store came without a user ID")).toBeVisible();
    await answerQuestion(page, "Link a confirmation", "Link event");
    await expect(page.getByText("Provider event linked by Sam Support")).toBeVisible();
    await expect(page.getByText("That reward is not claimed yet.")).toBeVisible();
    expect((await api(request, "referrer-claim", { uid: "uma-who-waits" })).claimed_rewards).toHaveLength(1);
  });

  test("3: it says already redeemed", async ({ page, request }) => {
    await redeem(request, "paul");
    await redeem(request, "paul");
    await search(page, "paul", /paul.*user/i);
    // A request is in the log within a second.
    await reloadUntilVisible(page, page.getByText("ALREADY_REDEEMED"));
    await expect(page.getByRole("row", { name: /paul/ })).toContainText("Code assigned");
  });

  test("4: I subscribed and my friend got nothing, with a test purchase", async ({ page, request }) => {
    await redeem(request, "pia");
    await buy(request, "pia", { environment: "SANDBOX" });
    await search(page, "pia", /pia.*referee/i);
    await expect(page.getByText("is a test purchase, which does not count")).toBeVisible();
  });

  test("5: the same, with a renewal, confirmed by hand", async ({ page, request }) => {
    await redeem(request, "quinn");
    await buy(request, "quinn", { type: "RENEWAL" });
    await search(page, "quinn", /quinn.*referee/i);
    await expect(page.getByText("is a renewal that shows no sign of the code")).toBeVisible();
    await answerQuestion(page, "Confirm by hand", "Confirm referral");
    await expect(page.getByText("Confirmed by hand").first()).toBeVisible();
  });

  test("6 and 14: the same, because the provider's deliveries are refused", async ({ page, request }) => {
    await redeem(request, "rosa");
    expect((await buy(request, "rosa", { secret: "wrong" })).status()).toBe(401);
    await search(page, "rosa", /rosa.*referee/i);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText("Correct what its page names")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await answerQuestion(page, "Confirm by hand", "Confirm referral");
    await countedClick(page.getByRole("link", { name: "Integration check" }).first());
    await expect(page.getByText(/Refused \d+ deliver(y|ies) since/)).toBeVisible();
    // An accepted event ends the problem, but the number of refused deliveries stays.
    await buy(request, "rosa", { type: "RENEWAL" });
    await page.reload();
    await expect(page.getByText(/Refused \d+ deliver(y|ies) since/)).toBeVisible();
  });

  test("7: my code has expired", async ({ page, request }) => {
    const { code } = await redeem(request, "sven");
    await search(page, code, /sven/);
    for (const replaced of [1, 2]) {
      await answerQuestion(page, "Replace code", "Replace code");
      await expect(page.getByText(/^Code replaced ••••.* by Sam Support$/)).toHaveCount(replaced);
    }
  });

  test("8: I cannot use my reward code", async ({ page, request }) => {
    const { metacode: tomsCode } = await api(request, "referrer", { uid: "tom" });
    for (const uid of ["tom-friend-1-of-a-long-user-id-4711", "tom-friend-2-of-a-long-user-id-4711"]) {
      await redeem(request, uid, "ios", tomsCode);
      await buy(request, uid);
    }
    expect((await api(request, "referrer-claim", { uid: "tom" })).claimed_rewards).toHaveLength(1);
    await page.setViewportSize(PHONE_VIEWPORT);
    await search(page, "tom", /tom.*referrer/i);
    for (const name of ["Newest referrals", "Rewards"]) {
      const table = page.getByRole("region", { name });
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth), name).toBe(0);
    }
    await countedClick(page.getByRole("button", { name: /^Replace/ }).first());
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    const reason = dialog.getByLabel("Reason");
    if (await reason.isVisible()) await reason.fill("The store refuses it");
    await countedClick(dialog.getByRole("button", { name: "Replace code" }));
    await expect(page.getByText(/^••••\w+ instead of ••••\w+$/)).toBeVisible();
  });

  test("9: I have an iPhone, and you gave me an Android code", async ({ page, request }) => {
    await redeem(request, "kai", "android");
    await search(page, "kai", /kai.*referee/i);
    await answerQuestion(page, "Release", "Release redemption");
    await page.waitForURL(/people\?uid=kai/);
    await expect(page.getByRole("cell", { name: "Redemption released" })).toContainText("may redeem again");
    expect((await redeem(request, "kai", "ios")).platform).toBe("ios");
  });

  test("10: I typed the wrong friend's code", async ({ page, request }) => {
    const { metacode: right } = await api(request, "referrer", { uid: "hanna", metadata: { name: "Hanna" } });
    await redeem(request, "milan");
    expect((await redeem(request, "milan", "ios", right)).error.code).toBe("ALREADY_REDEEMED");
    await search(page, "milan", /milan.*referee/i);
    await answerQuestion(page, "Release", "Release redemption");
    await page.waitForURL(/people\?uid=milan/);
    const { referrer_info: inviter } = await redeem(request, "milan", "ios", right);
    expect(inviter.message).toContain("Hanna");
    await buy(request, "milan");
    expect((await api(request, "referrer", { uid: "hanna" })).stats.referrals_count).toBe(1);
    await page.reload();
    await expect(page.getByRole("row", { name: /milan/ })).toContainText("Confirmed");
  });

  test("11: I reinstalled and lost my invites", async ({ page, request }) => {
    await api(request, "referrer", { uid: "ole-new" });
    const { metacode: old } = await api(request, "referrer", { uid: "ole-old" });
    await redeem(request, "ole-friend", "ios", old);
    await buy(request, "ole-friend");
    await search(page, "ole-new", /ole-new.*user/i);
    await countedClick(page.getByRole("button", { name: "Join another ID" }));
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("The other ID", { exact: true }).fill("ole-old");
    await dialog.getByLabel("Reason").fill("Reinstalled the app");
    await countedClick(dialog.getByRole("button", { name: "Join IDs" }));
    await expect(dialog.getByRole("alert")).toContainText("ole-old");
    await expect(dialog.getByRole("alert")).toContainText(
      "has 1 confirmed referral. Joining does not add these up",
    );
    await countedClick(dialog.getByLabel("Join anyway"));
    await countedClick(dialog.getByRole("button", { name: "Join IDs" }));
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/of ole-old, active, 1 confirmed referral$/)).toBeVisible();
  });

  test("13: a screenshot with a request id, also of a 401", async ({ page, request }) => {
    const { error } = await redeem(request, "uma", "ios", "zzzzzzzz");
    await search(page, error.request_id, /uma/);
    await expect(page.getByText("METACODE_NOT_FOUND").first()).toBeVisible();
    const refused = await (await buy(request, "uma", { secret: "wrong" })).json();
    await search(page, refused.error.request_id, /401 UNAUTHORIZED/);
    const found = page.getByRole("list", { name: "Requests" });
    await expect(found.getByText("UNAUTHORIZED")).toBeVisible();
    await expect(found.getByText("enter the connection’s secret at the provider again")).toBeVisible();
  });

  test("21: a ring of made-up friends is reversed, with its rewards", async ({ page, request }) => {
    const { metacode: ring } = await api(request, "referrer", { uid: "vic" });
    for (let n = 1; n <= 12; n += 1) {
      if (n === 5) await api(request, "referrer-claim", { uid: "vic" });
      await redeem(request, `vic-fake-${n}`, "ios", ring);
      await buy(request, `vic-fake-${n}`);
    }
    await search(page, "vic", /vic.*referrer/i);
    await countedClick(page.getByLabel("Select all on this page"));
    await expect(page.getByText("12 referrals selected")).toBeVisible();
    await countedClick(page.getByRole("button", { name: "Reverse: 12 referrals" }));
    await countedClick(page.getByLabel("Withdraw unclaimed rewards as well"));
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Made-up users");
    await countedClick(dialog.getByRole("button", { name: "Reverse", exact: true }));
    await expect(page.getByText("12 referrals reversed")).toBeVisible();
    await expect(page.getByText("Withdrawn", { exact: true })).toHaveCount(4);
    const { stats } = await api(request, "referrer", { uid: "vic" });
    expect(stats).toMatchObject({ referrals_count: 0, rewards_earned: 6, rewards_available: 0 });
    expect((await api(request, "referrer-claim", { uid: "vic" })).error.code).toBe("NO_REWARDS_AVAILABLE");
    startCounting();
    await answerQuestion(page, /^Restore reward iOS [3-6]$/, "Restore reward");
    expect((await api(request, "referrer", { uid: "vic" })).stats.rewards_available).toBe(1);
  });

  test("22: the wrong purchase was linked", async ({ page, request }) => {
    await redeem(request, "wim");
    await buy(request, "$RCAnonymousID:wim");
    await search(page, "wim", /wim.*referee/i);
    await answerQuestion(page, "Link a confirmation", "Link event");
    await expect(page.getByText("Linked by hand")).toBeVisible();
    startCounting();
    await answerQuestion(page, "Unlink INITIAL_PURCHASE", "Unlink event");
    await expect(page.getByRole("heading", { name: "Why is this not confirmed?" })).toBeVisible();
    await expect(page.getByText("Provider event unlinked by Sam Support")).toBeVisible();
  });
});
