import { eq, sql } from "drizzle-orm";
import { type BrowserContext, expect, test } from "playwright/test";
import { callApi, sendRevenueCatEvent } from "@/e2e/parts/api";
import { inDatabase } from "@/e2e/parts/database";
import { makeSample, withSample } from "@/e2e/parts/samples";
import {
  answerQuestion,
  countedClick,
  expectFewClicks,
  memberCookies,
  searchFor,
  startCounting,
} from "@/e2e/parts/tickets";
import { apiKeys, keyLimitRefusals, quotaUsage } from "@/lib/platform/db/schema";
import { joinUids } from "@/lib/program/end-users/join";
import { contextOfApp } from "@/lib/testing/app-context";
import type { SessionCookie } from "./parts/sign-in";
import { seedWebhooks } from "./seed/webhooks";

const own = withSample({ live: true, threshold: 1, codes: 60 });

let admin: SessionCookie[];
let member: SessionCookie[];

test.beforeAll(async () => {
  admin = await memberCookies("admin", own.current.workspace_id);
  member = await memberCookies("member", own.current.workspace_id);
});

/** Signs in as another member in place of the owner, whose cookies every test begins with. */
async function become(context: BrowserContext, cookies: typeof admin): Promise<void> {
  await context.clearCookies();
  await context.addCookies(cookies);
}

test.afterEach(expectFewClicks);

const appPath = (path = "") => `/dashboard/apps/${own.current.app_id}${path}`;

/** Works on the app through the database, for states that no API call can produce. */
const arrange = <T>(work: (ctx: Awaited<ReturnType<typeof contextOfApp>>) => Promise<T>) =>
  inDatabase(async (db) => work(await contextOfApp(db, own.current.workspace_id, own.current.app_id)));

test("11: a member makes up for a reward that was lost between two IDs", async ({
  page,
  request,
  context,
}) => {
  const call = (path: string, data: object) => callApi(request, own.current.api_key, path, data);
  await call("referrer", { uid: "ole" });
  await become(context, member);
  await searchFor(page, own.current.app_id, "ole", /ole.*referrer/i);
  await countedClick(page.getByRole("button", { name: "Goodwill reward" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Two IDs of one person");
  await countedClick(dialog.getByRole("button", { name: "Grant reward" }));
  await expect(page.getByText("Goodwill reward granted by Mia Member")).toBeVisible();
  expect((await (await call("referrer-claim", { uid: "ole" })).json()).claimed_rewards).toHaveLength(1);
});

test("10 with the keyboard alone, beside a second tab that is out of date", async ({
  page,
  request,
  context,
}) => {
  const call = (path: string, data: object) => callApi(request, own.current.api_key, path, data);
  const { metacode } = await (await call("referrer", { uid: "kim" })).json();
  await call("referee-redeem", { referee_uid: "leo", metacode, platform: "ios" });
  await become(context, member);
  await searchFor(page, own.current.app_id, "leo", /leo.*referee/i, () => page.keyboard.press("Enter"));
  const stale = await context.newPage();
  await stale.goto(page.url());
  await page.getByRole("button", { name: "Release" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Reason").press("W");
  await page.keyboard.press("Enter");
  await page.waitForURL(/people\?uid=leo/);
  await stale.getByRole("button", { name: "Confirm by hand" }).click();
  await stale.getByRole("dialog").getByLabel("Reason").fill("The user sent the receipt");
  await stale.getByRole("button", { name: "Confirm referral" }).click();
  await expect(stale.getByRole("dialog").getByRole("alert")).toContainText("It may have been released");
  await stale.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(stale.getByRole("button", { name: "Confirm by hand" })).toHaveCount(0);
});

test("12: an owner erases a user on the user's page", async ({ page, request }) => {
  const call = (path: string, data: object) => callApi(request, own.current.api_key, path, data);
  const { metacode } = await (await call("referrer", { uid: "greta" })).json();
  await call("referee-redeem", { referee_uid: "xena", metacode, platform: "ios" });
  await arrange((ctx) =>
    joinUids(ctx, { uid: "xena", otherUid: "xena-old", reason: "New phone", keepApart: "true" }),
  );
  await searchFor(page, own.current.app_id, "xena", /xena.*user/i);
  await countedClick(page.getByRole("button", { name: "Erase end user" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("because the link to them is deleted as well: xena-old")).toBeVisible();
  await dialog.getByLabel("to confirm").fill("xena");
  await countedClick(dialog.getByRole("button", { name: "Erase end user" }));
  await expect(page.getByText("Nothing is known about this user")).toBeVisible();
});

test("14: RevenueCat has been silent since its secret was rotated", async ({ page, request, context }) => {
  const { revenuecat } = own.current.providers;
  await sendRevenueCatEvent(request, { ...revenuecat, authorization: "the old one" }, "someone");
  await become(context, admin);
  startCounting();
  await expect(async () => {
    await page.goto(appPath());
    await expect(page.getByText("Urgent: Events from RevenueCat are refused")).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await countedClick(page.getByRole("link", { name: "Check the secret" }).first());
  await expect(page.getByText("Refused", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/1 delivery/).first()).toBeVisible();
  await countedClick(page.getByRole("button", { name: /^Actions for RevenueCat/ }));
  await countedClick(page.getByRole("menuitem", { name: "Replace secret" }));
  await countedClick(page.getByRole("button", { name: "Create new secret" }));
  const authorization = (await page.getByTestId("secret").textContent()) ?? "";
  await countedClick(page.getByRole("button", { name: "I have stored the secret" }));
  await sendRevenueCatEvent(request, { ...revenuecat, authorization }, "someone");
  await page.reload();
  await expect(page.getByText("Refused", { exact: true })).toHaveCount(0);
});

test("15: no webhook arrives, because our receiver was down", async ({ page, context }) => {
  await become(context, admin);
  await arrange(seedWebhooks);
  startCounting();
  await page.goto(appPath("/webhooks"));
  await countedClick(page.getByRole("link", { name: /slow\.acme\.com/ }));
  await expect(page.getByText("Nothing has got through since")).toBeVisible();
  await countedClick(page.getByRole("button", { name: "Try now" }));
  await expect(page.getByText("The next delivery is queued")).toBeVisible();
});

test("17: codes ran out, and friends were refused", async ({ page, request, context }) => {
  const small = await makeSample({ live: true, codes: 1 });
  const call = (path: string, data: object) => callApi(request, small.api_key, path, data);
  const { metacode: owl } = await (await call("referrer", { uid: "owl" })).json();
  for (const [uid, status] of [
    ["early", 200],
    ["late", 503],
  ] as const) {
    const data = { referee_uid: uid, metacode: owl, platform: "ios" };
    expect((await call("referee-redeem", data)).status()).toBe(status);
  }
  await become(context, await memberCookies("member", small.workspace_id));
  startCounting();
  await page.goto(`/dashboard/apps/${small.app_id}`);
  await expect(page.getByText("Urgent: The pool “iOS referee codes” is empty")).toBeVisible();
  await expect(page.getByText("1 person is waiting in line").first()).toBeVisible();
  const refused = page.getByRole("list", { name: "Requests" });
  await expect(async () => {
    await page.goto(`/dashboard/apps/${small.app_id}/requests?code=NO_CODES_AVAILABLE`);
    await expect(refused.getByText("late", { exact: true }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(refused.getByText("early", { exact: true })).toHaveCount(0);
  await page.goto(`/dashboard/apps/${small.app_id}`);
  await countedClick(page.getByRole("link", { name: "Import codes" }).first());
  await page.waitForURL(/codes\/import\?pool=/);
  await countedClick(page.getByRole("button", { name: "Paste codes instead" }));
  await page.getByLabel("Codes", { exact: true }).fill("FRESH00CODE1\nFRESH00CODE2");
  await countedClick(page.getByRole("button", { name: "Check codes" }));
  await countedClick(page.getByRole("button", { name: "Import 2 codes" }));
  await expect(page.getByText("2 codes imported")).toBeVisible();
  await expect(page.getByText(/1 (code is )?set aside for people in line/)).toBeVisible();
  const again = await call("referee-redeem", { referee_uid: "late", metacode: owl, platform: "ios" });
  expect((await again.json()).code).toMatch(/^FRESH00CODE[12]$/);
});

test("18: every friend gets a 429", async ({ page, context }) => {
  await become(context, admin);
  await arrange(async ({ db, app }) => {
    const [key] = await db.orm.select().from(apiKeys).where(eq(apiKeys.appId, app.id)).limit(1);
    const refused = { limit: "unknown_metacodes", refused: 120 } as const;
    const now = new Date();
    const times = { since: now, lastAt: now, until: new Date(now.getTime() + 3_600_000) };
    await db.orm
      .insert(keyLimitRefusals)
      .values({ appId: app.id, keyId: key?.id ?? "", ...refused, ...times });
  });
  startCounting();
  await page.goto(appPath("/keys"));
  await expect(page.getByText("Some requests with this key are refused now")).toBeVisible();
  await answerQuestion(page, /^Lift the limits of/, "Lift limits");
  await expect(page.getByText("Some requests with this key are refused now")).toBeHidden();
});

test("19: every request is a 429, because the quota is used up", async ({ page, context }) => {
  await become(context, member);
  const month = sql`date_trunc('month', now() at time zone 'utc')::date`;
  await arrange(({ db, workspace }) =>
    db.orm
      .insert(quotaUsage)
      .values({ workspaceId: workspace.id, month, used: 1_000_000_000 })
      .onConflictDoUpdate({
        target: [quotaUsage.workspaceId, quotaUsage.month],
        set: { used: 1_000_000_000 },
      }),
  );
  startCounting();
  const bar = page.getByText("The monthly quota is used up: API requests are refused");
  await page.goto(appPath("/keys"));
  await expect(bar).toBeVisible();
  await page.goto(appPath());
  await expect(page.getByText("Urgent: The monthly quota is used up")).toBeVisible();
  await expect(bar).toBeHidden();
  await countedClick(page.getByRole("link", { name: "What the limit means" }));
  await expect(page.getByRole("heading", { name: "Plan and usage" })).toBeVisible();
  await arrange(({ db, workspace }) =>
    db.orm.delete(quotaUsage).where(eq(quotaUsage.workspaceId, workspace.id)),
  );
});

test("21: a member stops the ring’s metacode after its friends were reversed", async ({
  page,
  request,
  context,
}) => {
  const call = (path: string, data: object) => callApi(request, own.current.api_key, path, data);
  const { metacode } = await (await call("referrer", { uid: "vic" })).json();
  await become(context, member);
  await searchFor(page, own.current.app_id, "vic", /vic.*referrer/i);
  await answerQuestion(page, "Pause", "Pause referrer");
  await expect(page.getByText("Referrer paused by Mia Member")).toBeVisible();
  const late = await call("referee-redeem", { referee_uid: "vic-fake-9", metacode, platform: "ios" });
  expect((await late.json()).error.code).toBe("METACODE_NOT_FOUND");
});

test("20: who ended the campaign?", async ({ page, context }) => {
  await page.goto(appPath("/campaigns"));
  await page.getByRole("link", { name: "Invite friends" }).click();
  await page.getByRole("button", { name: "End", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Invite friends");
  await dialog.getByRole("button", { name: "End campaign" }).click();
  await expect(page.getByRole("button", { name: "End", exact: true })).toHaveCount(0);
  await become(context, admin);
  await page.goto(appPath());
  startCounting();
  await countedClick(page.getByRole("link", { name: "Audit log" }));
  const entry = page.getByRole("list", { name: "Audit log" }).getByRole("listitem").first();
  await expect(entry).toContainText("Campaign ended");
  await expect(entry).toContainText("Owner in Sample app");
  // A goodwill reward would be refused now, so it is not offered.
  await become(context, member);
  await searchFor(page, own.current.app_id, "vic", /vic.*referrer/i);
  await expect(page.getByText("The campaign has ended, so your app sees")).toBeVisible();
  await expect(page.getByRole("button", { name: "Goodwill reward" })).toHaveCount(0);
});
