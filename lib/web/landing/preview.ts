import { eq } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import { type LandingView, SAMPLE_INVITER, SAMPLE_METACODE } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { isApiText, OWN_TEXT_KEYS, type OwnTextKey } from "@/lib/contract/landing-texts";
import { apps } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { builtInText } from "@/lib/program/texts/api-texts";
import { loadOwnTexts } from "@/lib/program/texts/own-texts";
import type { Context } from "@/lib/tenants/context";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { fillLandingTexts } from "@/lib/web/landing/texts";
import { landingView, storesOf } from "@/lib/web/landing/view";

interface Sample {
  platform: Platform;
  language: LandingLanguage;
}

const PHONE: Record<Platform, string> = { ios: "iPhone", android: "Android" };

/** The app's landing page on a given phone, with a sample inviter and metacode. */
export async function sampleView(ctx: Context, sample: Sample): Promise<LandingView> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  if (!app) return fail("NOT_FOUND", "There is no such app");
  const invitation: LandingInvitation = {
    appId: app.id,
    referrerId: app.id,
    metacode: SAMPLE_METACODE,
    state: "open",
    inviter: SAMPLE_INVITER,
    appName: app.name,
    appleAppId: app.appleAppId ?? undefined,
    androidPackage: app.androidPackage ?? undefined,
    iconHash: app.iconHash ?? undefined,
    accentColor: app.accentColor ?? undefined,
    domain: ctx.app.landingDomain ?? undefined,
    ownTexts: true,
    endsAt: undefined,
  };
  const own = await loadOwnTexts(ctx.db, app.id, sample.language);
  const visit = { userAgent: PHONE[sample.platform], language: sample.language, own, preview: true };
  return landingView(invitation, visit);
}

/** The default texts in a language, with placeholders such as `{app}` instead of values. */
export function defaultTexts(ctx: Context, language: LandingLanguage): Record<OwnTextKey, string> {
  const texts = fillLandingTexts(language, {
    app: "{app}",
    inviter: "{inviter}",
    metacode: "{metacode}",
    stores: storesOf(ctx.app.appleAppId ?? undefined, ctx.app.androidPackage ?? undefined),
  });
  const plain = (key: OwnTextKey) =>
    isApiText(key)
      ? builtInText({ language, own: {} }, key, { inviter: "{inviter}" })
      : texts[key].replace(/[\u2068\u2069]/g, "");
  return Object.fromEntries(OWN_TEXT_KEYS.map((key) => [key, plain(key)])) as Record<OwnTextKey, string>;
}
