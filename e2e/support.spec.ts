import { and, eq, sql } from "drizzle-orm";
import { type APIRequestContext, expect, type Page, test } from "playwright/test";
import { callApi, sendRevenueCatEvent } from "@/e2e/parts/api";
import { inDatabase } from "@/e2e/parts/database";
import {
  browserErrors,
  DESKTOP_VIEWPORT,
  expectAccessible,
  openPalette,
  PHONE_VIEWPORT,
  reloadUntilVisible,
} from "@/e2e/parts/page-checks";
import { withSample } from "@/e2e/parts/samples";
import { countedClick, expectFewClicks, memberCookies, searchFor, startCounting } from "@/e2e/parts/tickets";
import { seedWebhooks } from "@/e2e/seed/webhooks";
import { webhookDeliveries } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { contextOfApp } from "@/lib/testing/app-context";

const own = withSample({ threshold: 1, codes: 20 });

const pagePath = (path: string) => `/dashboard/apps/${own.current.app_id}/${path}`;

const api = (request: APIRequestContext, path: string, data: object) =>
  callApi(request, own.current.api_key, path, data);

async function openReferral(page: Page, uid: string): Promise<void> {
  await page.goto(pagePath(`referrals?q=${uid}`));
  await page.getByRole("link", { name: uid }).click();
  await page.waitForURL(/referrals\/[0-9a-f-]{36}/);
}

async function answer(page: Page, name: string, submit: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const reason = dialog.getByLabel("Reason");
  if (await reason.isVisible()) await reason.fill("The user wrote to us");
  await dialog.getByRole("button", { name: submit }).click();
  await expect(dialog).toBeHidden();
}

test("an open referral says why it waits, and is confirmed by hand or released", async ({
  page,
  request,
}) => {
  const errors = browserErrors(page);
  const { metacode } = await (await api(request, "referrer", { uid: "ann" })).json();
  for (const referee_uid of ["ben-support", "cem-support"]) {
    expect((await api(request, "referee-redeem", { referee_uid, metacode, platform: "ios" })).status()).toBe(
      200,
    );
  }
  await openReferral(page, "ben-support");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "Copy code", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Copy code" }).click();
  const byHand = page.getByRole("dialog", { name: "Copy this code by hand" });
  await byHand.getByRole("button", { name: "Close", exact: true }).click();
  await expect(byHand).toBeHidden();
  await expect(page.getByRole("heading", { name: "Why is this not confirmed?" })).toBeVisible();
  for (const viewport of [PHONE_VIEWPORT, DESKTOP_VIEWPORT]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page);
  }
  await answer(page, "Confirm by hand", "Confirm referral");
  await expect(page.getByText("Counted towards reward 1 of the referrer")).toBeVisible();
  await openReferral(page, "cem-support");
  await page.getByRole("button", { name: "Replace code" }).click();
  await expect(page.getByRole("dialog")).toContainText(
    "gets the new code when the referee enters the same metacode on the same platform again within 24 hours",
  );
  await page.getByRole("button", { name: "Cancel" }).click();
  await answer(page, "Release", "Release redemption");
  await page.waitForURL(/people\?uid=cem-support/);
  const again = { referee_uid: "cem-support", metacode, platform: "android" };
  expect((await api(request, "referee-redeem", again)).status()).toBe(200);
  expect(errors).toEqual([]);
});

test("a purchase that was linked to the wrong person is unlinked", async ({ page, request }) => {
  const { metacode } = await (await api(request, "referrer", { uid: "ann" })).json();
  await api(request, "referee-redeem", { referee_uid: "dan-support", metacode, platform: "ios" });
  await sendRevenueCatEvent(request, own.current.providers.revenuecat, "$RCAnonymousID:dan");
  await openReferral(page, "dan-support");
  await page.getByRole("button", { name: "Link a confirmation" }).click();
  await expect(page.getByRole("dialog")).toContainText("App Store");
  await expect(page.getByRole("dialog")).toContainText(/\d\d:\d\d:\d\d/);
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  await page.getByRole("dialog").getByRole("radio").first().check();
  await page.getByRole("dialog").getByLabel("Reason").fill("The user sent the receipt");
  await page.getByRole("dialog").getByRole("button", { name: "Link event" }).click();
  await expect(page.getByText("Linked by hand")).toBeVisible();
  await answer(page, "Unlink INITIAL_PURCHASE", "Unlink event");
  await expect(page.getByRole("heading", { name: "Why is this not confirmed?" })).toBeVisible();

  await page.goto(pagePath("providers/unmatched"));
  await page.getByRole("button", { name: "Replay many" }).click();
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  await page.route(/\/unmatched/, (route) => lost.then(() => route.abort()));
  await page.getByRole("button", { name: "Replay events" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopping …")).toBeVisible();
  lose();
  await expect(page.getByText("Stopped: nothing was replayed.")).toBeVisible();
  await page.unroute(/\/unmatched/);
  // The response was lost, so the list behind the dialog may be out of date.
  const refreshed = page.waitForRequest(/\/unmatched.*_rsc=/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await refreshed;
});

test("a user who only failed is found by the mistyped metacode and by the request", async ({
  page,
  request,
}) => {
  const { metacode } = await (await api(request, "referrer", { uid: "ann" })).json();
  const typed = metacode.slice(0, -1) + (metacode.endsWith("2") ? "3" : "2");
  const refused = await api(request, "referee-redeem", {
    referee_uid: "eve-support",
    metacode: typed,
    platform: "ios",
  });
  const { error } = await refused.json();
  // Requests are written once a second.
  await expect(async () => {
    await page.goto(pagePath("people?uid=eve-support"));
    await expect(page.getByText("one character away from")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  for (const viewport of [PHONE_VIEWPORT, DESKTOP_VIEWPORT]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page);
  }
  await api(request, "referee-redeem", { referee_uid: "eve-support", metacode: "qqqqqqqq", platform: "ios" });
  await reloadUntilVisible(
    page,
    page.getByText("Typed qqqqqqqq on iOS, which resembles no metacode of this app"),
  );
  for (const text of [error.request_id, "eve-support"]) {
    await openPalette(page);
    await page.getByRole("combobox").fill(text);
    await page
      .getByRole("option", { name: /eve-support/ })
      .first()
      .click();
    await page.waitForURL(/people\?uid=eve-support/);
  }
});

test("rewards beyond the newest 50 are reached from the user's page, on an older page of the referrer", async ({
  page,
  request,
}) => {
  const { app_id: app } = own.current;
  const { metacode, referrer_id: id } = await (await api(request, "referrer", { uid: "gil-support" })).json();
  await inDatabase(({ orm }) =>
    orm.execute(sql`insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number)
      select ${app}, gen_random_uuid(), ${id}, c.id, 'ios', n
        from (select id from campaigns where app_id = ${app} limit 1) c, generate_series(1, 51) n`),
  );
  await page.goto(pagePath("people?uid=gil-support"));
  await expect(page.getByText("Only the newest 50 of each metacode.")).toBeVisible();
  await page.getByRole("link", { name: `All rewards of ${metacode}` }).click();
  await expect(page.getByRole("cell", { name: "iOS 51", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByRole("cell", { name: "iOS 1", exact: true })).toBeVisible();
  await expect(page.getByRole("cell", { name: "iOS 51", exact: true })).toBeHidden();
});

test("ticket 16: no webhook arrives, because the service does not send", async ({ page, context }) => {
  const { workspace_id: workspaceId, app_id: appId } = own.current;
  const pending = and(eq(webhookDeliveries.appId, appId), eq(webhookDeliveries.status, "pending"));
  await inDatabase(async (db) => seedWebhooks(await contextOfApp(db, workspaceId, appId)));
  await context.clearCookies();
  await context.addCookies(await memberCookies("member", workspaceId));
  await inDatabase((db) =>
    db.transaction(async (tx) => {
      // Locks a due delivery, so that no process can take it.
      await tx.orm.select().from(webhookDeliveries).where(pending).for("key share");
      const at = new Date(Date.now() - 11 * 60_000);
      await inDatabase(({ orm }) =>
        orm.update(webhookDeliveries).set({ dueAt: at, wakeAt: at }).where(pending),
      );
      startCounting();
      await page.goto(`/dashboard/apps/${appId}`);
      const problem = page.getByRole("listitem").filter({ hasText: "Webhooks to api.acme.com are late" });
      await expect(problem).toContainText(
        "Contact the operator of this service: deliveries have been waiting since",
      );
      await countedClick(problem.getByRole("link", { name: "Open deliveries" }));
      await expect(page.getByRole("heading", { name: /api\.acme\.com/ })).toBeVisible();
    }),
  );
  expectFewClicks();
  await expect(async () => {
    await page.goto(`/dashboard/apps/${appId}`);
    await expect(page.getByRole("heading", { level: 1, name: "Sample app" })).toBeVisible();
    await expect(page.getByText("Webhooks to api.acme.com are late")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test("readers learn which colleague may act, and who ended a campaign", async ({
  page,
  request,
  context,
}) => {
  const { workspace_id: workspaceId, app_id: appId, campaign_id: campaignId } = own.current;
  await api(request, "referrer", { uid: "fay" });
  await inDatabase(async (db) => endCampaign(await contextOfApp(db, workspaceId, appId), campaignId));
  await context.clearCookies();
  await context.addCookies(await memberCookies("support", workspaceId));
  await searchFor(page, own.current.app_id, "Invite friends", /Invite friends/);
  const [change] = await page.getByRole("list", { name: "Changes" }).getByRole("listitem").allTextContents();
  expect(change).toMatch(/^Campaign ended by /);
  await searchFor(page, own.current.app_id, "FAY", /fay.*referrer/);
  await expect(page.getByText("A member can pause or end this referrer")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Open the team" }).click();
  await expect(page.getByRole("main").getByRole("cell", { name: /Sam Support/ })).toBeVisible();
});
