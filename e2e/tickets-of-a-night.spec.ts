import { eq, sql } from "drizzle-orm";
import { expect, test } from "playwright/test";
import { callApi } from "@/e2e/parts/api";
import { inDatabase } from "@/e2e/parts/database";
import { makeSample, withSample } from "@/e2e/parts/samples";
import { answerQuestion, countedClick, expectFewClicks, startCounting } from "@/e2e/parts/tickets";
import { apiKeys, keyLimitRefusals, quotaUsage } from "@/lib/platform/db/schema";
import { contextOfApp } from "@/lib/testing/app-context";
import { cookiesOf } from "./parts/sign-in";
import { seedWebhooks } from "./seed/webhooks";

const own = withSample("--live", "--codes", "60");

test.afterEach(expectFewClicks);

const appPath = (path = "") => `/dashboard/apps/${own.current.app_id}${path}`;

/** Does what no call of the API can: as the owner, at the database. */
const arrange = <T>(work: (ctx: Awaited<ReturnType<typeof contextOfApp>>) => Promise<T>) =>
  inDatabase(async (db) => work(await contextOfApp(db, own.current.workspace_id, own.current.app_id)));

test("15 and 16: no webhook arrives, because our receiver was down", async ({ page }) => {
  await arrange(seedWebhooks);
  startCounting();
  await page.goto(appPath("/webhooks"));
  await countedClick(page.getByRole("link", { name: /slow\.acme\.com/ }));
  await expect(page.getByText("Nothing has got through since")).toBeVisible();
  await countedClick(page.getByRole("button", { name: "Try now" }));
  await expect(page.getByText("The next delivery is queued")).toBeVisible();
});

test("17: codes ran out, and friends were refused", async ({ page, request, browser, baseURL, context }) => {
  const small = await makeSample("--live", "--codes", "1");
  const call = (path: string, data: object) => callApi(request, small.api_key, path, data);
  const { metacode: owl } = await (await call("referrer", { uid: "owl" })).json();
  for (const [uid, status] of [
    ["early", 200],
    ["late", 503],
  ] as const) {
    const data = { referee_uid: uid, metacode: owl, platform: "ios" };
    expect((await call("referee-redeem", data)).status()).toBe(status);
  }
  await context.clearCookies();
  await context.addCookies(await cookiesOf(browser, baseURL, small.owner));
  startCounting();
  await page.goto(`/dashboard/apps/${small.app_id}`);
  await expect(page.getByText("Urgent: The pool “iOS referee codes” is empty")).toBeVisible();
  await expect(page.getByText("1 person waits in line").first()).toBeVisible();
  await countedClick(page.getByRole("link", { name: "Upload codes" }).first());
  await page.waitForURL(/codes\/import\?pool=/);
  await expect(page.getByRole("heading", { name: "Import codes" })).toBeVisible();
});

test("18: every friend gets a 429", async ({ page }) => {
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

test("19: every request is a 429, because the quota is used up", async ({ page }) => {
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
  await page.goto(appPath());
  await expect(page.getByText("Urgent: The monthly quota is used up")).toBeVisible();
  await countedClick(page.getByRole("link", { name: "What the limit means" }));
  await expect(page.getByRole("heading", { name: "Plan and usage" })).toBeVisible();
  await arrange(({ db, workspace }) =>
    db.orm.delete(quotaUsage).where(eq(quotaUsage.workspaceId, workspace.id)),
  );
});

test("20: who ended the campaign?", async ({ page }) => {
  await page.goto(appPath("/campaigns"));
  await page.getByRole("link", { name: "Invite friends" }).click();
  await page.getByRole("button", { name: "End", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Invite friends");
  await dialog.getByRole("button", { name: "End campaign" }).click();
  await expect(page.getByRole("button", { name: "End", exact: true })).toHaveCount(0);
  startCounting();
  await countedClick(page.getByRole("link", { name: "Audit log" }));
  const entry = page.getByRole("list", { name: "Audit log" }).getByRole("listitem").first();
  await expect(entry).toContainText("Campaign ended");
  await expect(entry).toContainText("Owner in Sample app");
});
