import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, type Page, test } from "playwright/test";
import { makeSeparateApp } from "@/e2e/parts/apps";
import { expectAccessible, inParts } from "@/e2e/parts/page-checks";
import { cookiesOf, makeAccountWithPassword, type SessionCookie } from "@/e2e/parts/sign-in";
import { sample } from "@/e2e/sample";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { ALERT_KINDS } from "@/lib/contract/problems";
import { createChannel } from "@/lib/outward/problems/channels";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import {
  appStoreKeys,
  batches,
  campaigns,
  memberships,
  pools,
  refillRules,
  storeOffers,
  users,
} from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { createConnection } from "@/lib/program/connections/create";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import type { Context } from "@/lib/tenants/context";

const inMenu = (menu: RegExp, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};

const byButton = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole("button", { name, exact: typeof name === "string" })
    .first()
    .click();

const EDIT = inMenu(/^Actions for/, "Edit");

/** Each form that shows stored values, by its file: a page with it, and the function that opens it there. */
const FORMS: [file: string, path: string, open?: (page: Page) => Promise<void>][] = [
  ["account/profile-forms", "/dashboard/account"],
  ["alert/channel-menu", "alerts", EDIT],
  ["campaign/edit-form", "campaigns/{campaign}/edit"],
  ["campaign/edit-form", "campaigns/{split}/edit"],
  ["campaign/edit-form", "campaigns/{stars}/edit"],
  ["codes/edit-batch", "codes/batches/{batch}", byButton("Edit")],
  ["codes/pool-form", "codes/pools/{ios}", EDIT],
  ["codes/pool-form", "codes/pools/{android}", EDIT],
  ["influencer/influencer-forms", "campaigns/{stars}", EDIT],
  ["influencer/rewards-by-hand", "campaigns/{stars}", inMenu(/^Actions for/, "Grant rewards")],
  ["keys/key-limits", "keys", byButton(/^Limits of/)],
  ["provider/connection-dialogs", "providers/{adapty}", inMenu(/^Actions for/, "Custom names")],
  ["provider/connection-dialogs", "providers/{stripe}", inMenu(/^Actions for/, "Custom names")],
  ["provider/connection-menu", "providers/{adapty}", inMenu(/^Actions for/, "Rename")],
  ["referrer/goodwill", "referrers/{anna}", byButton("Goodwill reward")],
  ["referrer/referrer-forms", "referrers/{referrer}"],
  ["settings/icon-field", "settings"],
  ["settings/settings-form", "settings"],
  ["settings/settings-form", "settings/rules"],
  ["settings/settings-form", "settings/privacy"],
  ["settings/settings-form", "settings/domain"],
  ["settings/settings-form", "landing"],
  ["store/refill-form", "codes/app-store", byButton(/^Edit the refill of/)],
  ["webhook/endpoint-form", "webhooks/{endpoint}", EDIT],
  ["workspace/member-menu", "/dashboard/workspaces/{workspace}", inMenu(/^Actions for Maria/, "Change role")],
  ["workspace/name-forms", "/dashboard/workspaces/{workspace}/settings"],
];

/** Creates something to edit in each form, and stores the ids that the paths above name. */
async function fill(ctx: Context, ids: Record<string, string>): Promise<void> {
  const both = { ios: { threshold: 3 }, android: { threshold: 3 } };
  ids.campaign = (await createCampaign(ctx, { type: "referral", name: "Autumn", platforms: both })).id;
  const split = { ios: { threshold: 3 }, android: { threshold: 5 } };
  ids.split = (await createCampaign(ctx, { type: "referral", name: "Split", platforms: split })).id;
  ids.stars = (await createCampaign(ctx, { type: "influencer", name: "Stars", platforms: both })).id;
  const metacode = `m${crypto.randomUUID().slice(0, 8)}`;
  ids.referrer = (await createInfluencer(ctx, { campaignId: ids.stars, metacode, name: "Anna" })).id;
  const running = await createCampaign(ctx, { type: "referral", name: "Running", platforms: both });
  const started = { status: "active", activatedAt: new Date() } as const;
  await ctx.db.orm.update(campaigns).set(started).where(eq(campaigns.id, running.id));
  ids.anna = (await getOrCreateReferrer(ctx, { uid: "anna", metadata: {} })).referrer_id;
  ids.adapty = (await createConnection(ctx, { provider: "adapty" })).id;
  ids.stripe = (await createConnection(ctx, { provider: "stripe" })).id;
  const { email } = await makeAccountWithPassword("Maria");
  const [maria] = await ctx.db.orm.select().from(users).where(eq(users.email, email));
  const role = "viewer" as const;
  await ctx.db.orm
    .insert(memberships)
    .values({ workspaceId: sample().workspace_id, userId: maria?.id ?? "", role });
  const target = "https://discord.com/api/webhooks/1/x";
  await createChannel(ctx, { type: "discord", name: "On call", target, kinds: [...ALERT_KINDS] });
  const url = "https://example.com/hooks";
  ids.endpoint = (await createEndpoint(ctx, { url, description: "", events: ["referral.redeemed"] })).id;
  const appId = ctx.app.id;
  const { orm } = ctx.db;
  const own = (await orm.select().from(pools)).filter((pool) => pool.appId === appId);
  for (const { id, platform } of own) ids[platform] = id;
  ids.batch = (await orm.select().from(batches)).find((batch) => batch.appId === appId)?.id ?? "";
  const key = { issuerId: "57246542-96fe-1a63-e053-0824d011072a", keyId: "2X9R4HXF34", privateKey: "s1" };
  await orm.insert(appStoreKeys).values({ appId, ...key });
  const product = { product: "Monthly", productId: "com.example.monthly", active: true };
  const offer = { type: "subscription", id: "offer1", name: "One month free" } as const;
  await orm.insert(storeOffers).values({ appId, ...offer, ...product });
  const values = { offerType: offer.type, offerId: offer.id, offerName: offer.name, poolId: ids.ios ?? "" };
  const amounts = { threshold: 200, amount: 1_000, quarterCap: 10_000, validDays: 90, enabled: false };
  await orm.insert(refillRules).values({ appId, ...values, ...amounts });
}

/**
 * Answers every form as the server does when another user has saved each of its fields, so that all fields are listed at
 * once. The body has the format of the framework's server actions.
 */
async function answerWithConflicts(page: Page): Promise<void> {
  await page.route("**/dashboard/**", async (route) => {
    const request = route.request();
    if (!request.headers()["next-action"]) return route.continue();
    const seen = await page.evaluate(
      () => document.querySelector<HTMLInputElement>("[data-tried] [name=seen]")?.value,
    );
    const changes = Object.entries(JSON.parse(seen ?? "{}")).map(([field, value]) => ({
      field,
      before: value === null ? null : String(value),
      after: "2026-12-01T08:00:00.000Z",
    }));
    const error = { message: "Maria saved this just now", conflict: { changes, seen } };
    const body = `0:{"a":"$@1","f":"","q":"","i":false}\n1:${JSON.stringify({ error })}\n`;
    await route.fulfill({ contentType: "text/x-component", body });
  });
}

interface Listed {
  fields: string[];
  labels: string[];
  /** The texts of the form: its labels, the names of its groups, and the accessible names of controls without a label. */
  texts: string[];
}

/** Sends every form of the page that shows stored values, and reads the names of the fields in their conflicts. */
async function listConflicts(page: Page): Promise<Listed[]> {
  const forms = page.locator("form:has([name=seen])");
  await expect(forms.first()).toBeVisible();
  const found: Listed[] = [];
  for (const form of await forms.all()) {
    // Before a form is hydrated, the browser sends it without React.
    const taken = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactProps"));
    await expect.poll(() => form.evaluate(taken)).toBe(true);
    await form.evaluate((element: HTMLFormElement) => {
      for (const other of document.forms) other.removeAttribute("data-tried");
      element.setAttribute("data-tried", "");
      element.noValidate = true;
      element.requestSubmit();
    });
    const rows = form.getByRole("rowheader");
    await expect(rows.first()).toBeVisible();
    await expectAccessible(page, expect.soft);
    const labels = await rows.allTextContents();
    const read = await form.evaluate((element: HTMLFormElement) => ({
      fields: Object.keys(JSON.parse(element.querySelector<HTMLInputElement>("[name=seen]")?.value ?? "{}")),
      texts: [
        ...element.querySelectorAll<HTMLElement>("label, legend, summary, [aria-label], label span"),
      ].flatMap((named) => [named.getAttribute("aria-label") ?? "", named.firstChild?.textContent ?? ""]),
    }));
    found.push({ labels, ...read });
  }
  return found;
}

/** Fields that a form lists without a control, because another control or saving sets them. */
const HIDDEN = [
  ...["Threshold on iOS", "Threshold on Android", "Confirm a referral", "Refill"],
  ...["Rewards earned", "Goodwill rewards", "Icon"],
];

const withoutGroup = (label: string) =>
  Object.values(PLATFORM_NAME).reduce((text, name) => text.replace(`${name}: `, ""), label);

let cookies: SessionCookie[];
test.beforeAll(async () => {
  cookies = await cookiesOf();
});
test.beforeEach(({ context }) => context.addCookies(cookies));

test("every form that shows stored values has its conflicts read", () => {
  const paths = readdirSync("components", { recursive: true, encoding: "utf8" });
  const users = paths
    .map((file) => join("components", file))
    .filter((file) => file.endsWith(".tsx"))
    .filter((file) => readFileSync(file, "utf8").includes("<SeenValues"));
  const files = users.map((file) => file.replaceAll("\\", "/").replace(/^components\/|\.tsx$/g, ""));
  expect([...new Set(FORMS.map(([file]) => file))].sort()).toEqual(files.sort());
});

for (const [index, forms] of inParts(FORMS, 3).entries()) {
  test(`a conflict names each field in the words of its form, part ${index + 1}`, async ({ page }) => {
    const ids: Record<string, string> = { workspace: sample().workspace_id };
    const app = await makeSeparateApp("Two tabs", (ctx) => fill(ctx, ids));
    for (const [file, path, open] of forms) {
      await test.step(`${file} on ${path}`, async () => {
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
        await page.unrouteAll();
        await page.goto(filled.startsWith("/") ? filled : `/dashboard/apps/${app.id}/${filled}`);
        await answerWithConflicts(page);
        await open?.(page);
        for (const { fields, labels, texts } of await listConflicts(page)) {
          expect.soft(labels.length, path).toBe(fields.length);
          expect.soft(new Set(labels).size, `${path}: ${labels}`).toBe(labels.length);
          const known = [...texts, ...HIDDEN];
          expect
            .soft(
              labels.filter((label) => !known.includes(withoutGroup(label))),
              path,
            )
            .toEqual([]);
        }
      });
    }
  });
}

test("a form knows what it was opened with after another form of its page has refreshed the page", async ({
  page,
  context,
}) => {
  const app = await makeSeparateApp("Two forms");
  const path = `/dashboard/apps/${app.id}/landing`;
  const save = async (tab: Page, name: string, value: string) => {
    await tab.locator(`[name=${name}]`).fill(value);
    const form = tab.locator("form", { has: tab.locator(`[name=${name}]`) });
    await form.getByRole("button", { name: "Save", exact: true }).click();
  };
  const seen = page.locator("input[name=seen]").last();
  const other = await context.newPage();
  await Promise.all([page.goto(path), other.goto(path)]);
  await page.locator("[name=lead]").fill("Join in");
  await save(other, "lead", "Ride along");
  await expect(other.getByText("Settings saved")).toBeVisible();
  await save(page, "accentColor", "#aa0000");
  await expect(seen).toHaveValue(/Ride along/);
  await save(page, "step1", "First");
  await expect(page.getByRole("row", { name: /Ride along Join in$/ })).toBeVisible();
  await page.getByRole("button", { name: "Save mine anyway" }).click();
  await expect(seen).toHaveValue(/Join in/);
  await save(page, "lead", "Come along");
  await expect(seen).toHaveValue(/Come along/);
});
