import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { framedLandingPolicy } from "@/components/landing/policy";
import { renderInvitation } from "@/components/landing/render";
import { ownTextsInput } from "@/lib/contract/landing-form";
import { OWN_TEXT_KEYS } from "@/lib/contract/landing-texts";
import { database } from "@/lib/platform/db/client";
import { apps, auditLog, landingTexts } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { countOwnTexts, loadOwnTexts, updateOwnTexts } from "@/lib/program/texts/own-texts";
import { conflictOf } from "@/lib/tenants/audit/changes";
import { clientOf } from "@/lib/testing/client";
import { openPage } from "@/lib/testing/landing";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { MESSAGES } from "@/lib/web/landing/messages";
import { defaultTexts, sampleView } from "@/lib/web/landing/preview";

useService();

const input = (fields: Record<string, string>) => ownTextsInput.parse({ language: "en", ...fields });

async function inviting() {
  const tenant = await makeTenant({ app: { name: "Lumen" } });
  const { metacode } = (await clientOf(tenant.key).referrer("ann", { name: "Ada" })).body;
  const page = async (language = "en") => {
    for (const cache of ["landing.invitations", "landing.texts"]) forgetSingleton(cache);
    return (await openPage(metacode, { "accept-language": language })).html;
  };
  return { ...tenant, page };
}

describe("an owner's own texts", () => {
  test("of two forms opened at once, the later one is refused with both versions", async () => {
    const { ctx } = await makeTenant();
    const empty = Object.fromEntries(OWN_TEXT_KEYS.map((key) => [key, null]));
    const form = { ...ctx, seen: JSON.stringify(empty) };
    await updateOwnTexts(form, input({ invited: "Hello" }));
    const refused = await updateOwnTexts(form, input({ step2: "Type it" })).catch((error) => error);
    expect(conflictOf(refused)?.changes).toEqual([{ field: "invited", before: "Hello", after: null }]);
    expect(await loadOwnTexts(ctx.db, ctx.app.id, "en")).toEqual({ invited: "Hello" });
  });

  test("appear on the page in their language, filled, and in no other", async () => {
    const { ctx, page } = await inviting();
    await updateOwnTexts(
      ctx,
      input({ invited: "{inviter} gives you {app}, it's free", step2: "Type it & go <b>" }),
    );
    const html = await page();
    expect(html).toContain("<bdi>Ada</bdi> gives you <bdi>Lumen</bdi>, it&#39;s free");
    expect(html).toContain("<title>Ada gives you Lumen, it&#39;s free</title>");
    expect(html).toContain("Type it &amp; go &lt;b&gt;");
    expect(html).toContain("Redeem your promo code");
    expect(await page("de")).toContain(MESSAGES.de.step2);
  });

  test("another app's page does not have them", async () => {
    const [mine, other] = [await inviting(), await inviting()];
    await updateOwnTexts(mine.ctx, input({ lead: "Only mine" }));
    expect(await mine.page()).toContain("Only mine");
    expect(await other.page()).not.toContain("Only mine");
    expect(await countOwnTexts(mine.ctx)).toEqual({ en: 1 });
    expect(await countOwnTexts(other.ctx)).toEqual({});
  });

  test("a blank text restores the default, and the audit log has the former one", async () => {
    const { ctx, page } = await inviting();
    await updateOwnTexts(ctx, input({ lead: "First", step1: "Get it" }));
    await updateOwnTexts(ctx, input({ lead: " ", step1: "Get it" }));
    expect(await loadOwnTexts(ctx.db, ctx.app.id, "en")).toEqual({ step1: "Get it" });
    expect(await page()).toContain(MESSAGES.en.lead);
    const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
    const entries = rows.filter(({ action }) => action === "app.landing_texts_changed");
    expect(entries).toHaveLength(2);
    expect(entries.at(-1)).toMatchObject({ before: { "en lead": "First" }, after: { "en lead": null } });
  });

  test("an update without a change writes nothing", async () => {
    const { ctx } = await inviting();
    await updateOwnTexts(ctx, input({}));
    const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id));
    expect(rows.filter(({ action }) => action === "app.landing_texts_changed")).toEqual([]);
  });

  test("one of several simultaneous updates wins as a whole", async () => {
    const { ctx } = await inviting();
    const texts = ["one", "two", "three", "four"];
    await Promise.all(texts.map((text) => updateOwnTexts(ctx, input({ lead: text, step1: text }))));
    const { lead, step1 } = await loadOwnTexts(ctx.db, ctx.app.id, "en");
    expect(texts).toContain(lead);
    expect(step1).toBe(lead);
    const stored = database().orm.select().from(landingTexts).where(eq(landingTexts.appId, ctx.app.id));
    expect(await stored).toHaveLength(2);
  });
});

describe("the input that an owner may enter", () => {
  test.each([
    ["lead", "Hello {inviter}", "{app}, {metacode}"],
    ["lead", "{App}", "{app}, {metacode}"],
    ["invited", "{code}", "{inviter}, {app}, {metacode}"],
    ["step1", "{}", "{app}, {metacode}"],
    ["referredBy", "A friend invited you to {app}", "must contain {inviter}"],
    ["step1", "x".repeat(81), "at most 80"],
    ["lead", "x".repeat(10_000), "at most 240"],
    ["lead", "\ud800", "must be text"],
    ["language", "tlh", "language"],
    ["language", "__proto__", "language"],
  ])("%s = %j is refused by its name", (field, value, message) => {
    const [issue] = ownTextsInput.safeParse({ language: "en", [field]: value }).error?.issues ?? [];
    expect(issue?.path[0]).toBe(field);
    expect(issue?.message).toMatch(new RegExp(`^${field} `));
    expect(issue?.message).toContain(message);
  });

  test("invisible characters are removed, letters of every script and emoji stay", () => {
    const { lead } = input({ lead: "\u202eevil\u2066\u0007\n two  lines 👨\u200d👩\u200d👧 नमस्ते 🎉" });
    expect(lead).toBe("evil two lines 👨\u200d👩\u200d👧 नमस्ते 🎉");
  });

  test("counts characters and not their halves", () => {
    expect(input({ step1: "🎉".repeat(80) }).step1).toHaveLength(160);
  });
});

test("the defaults shown in the dashboard have names in place of values", async () => {
  const { ctx } = await makeTenant({ app: { appleAppId: null } });
  const defaults = defaultTexts(ctx, "en");
  expect(Object.keys(defaults)).toEqual(OWN_TEXT_KEYS);
  expect(defaults.invited).toBe("{inviter} invited you to {app}");
  expect(defaults.step1Text).toBe("From Google Play.");
  // A default is itself a valid own text.
  expect(ownTextsInput.safeParse({ language: "en", ...defaults }).success).toBe(true);
});

describe("the preview in the dashboard", () => {
  const sample = { device: "desktop", language: "de", accent: null, scheme: "system" } as const;

  test("has the colour that is typed, in light or dark, and a policy that allows its style sheets", async () => {
    const { ctx } = await makeTenant();
    for (const scheme of ["system", "light", "dark"] as const) {
      const view = await sampleView(ctx, { ...sample, accent: "#B3005E", scheme });
      expect(view.accent).toBe("#b3005e");
      const html = renderInvitation(view);
      expect(/@media \(prefers-color-scheme:dark\)/.test(html)).toBe(scheme === "system");
      const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = ""]) => text);
      expect(styles).toHaveLength(2);
      const policy = framedLandingPolicy(view.accent, scheme);
      for (const style of styles) {
        expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
      }
    }
  });

  test("shows the stores of the campaign that is being edited, and no others", async () => {
    const { ctx } = await makeTenant();
    const storesOf = async (stores?: string[]) =>
      (await sampleView(ctx, { ...sample, stores })).stores.map(({ platform }) => platform);
    expect(await storesOf()).toEqual(["ios", "android"]);
    expect(await storesOf(["android"])).toEqual(["android"]);
  });

  test("keeps the saved colour for an invalid one, and shows the default one for an empty field", async () => {
    const { ctx } = await makeTenant();
    await database().orm.update(apps).set({ accentColor: "#00875a" }).where(eq(apps.id, ctx.app.id));
    const accents = [null, "orange", "", "#123456"].map(
      async (accent) => (await sampleView(ctx, { ...sample, accent })).accent,
    );
    expect(await Promise.all(accents)).toEqual(["#00875a", "#00875a", undefined, "#123456"]);
  });
});
