import { eq } from "drizzle-orm";
import { appAccent } from "@/lib/contract/app";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import { type LandingView, PREVIEWED, type PreviewScheme } from "@/lib/contract/landing";
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
  device: Platform | "desktop";
  language: LandingLanguage;
  accent: string | null;
  scheme: PreviewScheme;
  /** The stores of a campaign, which may be fewer than the app's. */
  stores?: readonly string[] | undefined;
}

const USER_AGENT = { ios: "iPhone", android: "Android", desktop: "" };

/**
 * An invitation to the app with a sample inviter and metacode. `accent` replaces the saved colour if it is a valid one;
 * empty means the default colour.
 */
export async function sampleInvitation(ctx: Context, accent: string | null): Promise<LandingInvitation> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  if (!app) return fail("NOT_FOUND", "There is no such app");
  const typed = accent === null ? undefined : appAccent.safeParse({ accentColor: accent || null }).data;
  return {
    appId: app.id,
    referrerId: app.id,
    ...PREVIEWED,
    state: "open",
    appName: app.name,
    appleAppId: app.appleAppId ?? undefined,
    androidPackage: app.androidPackage ?? undefined,
    iconHash: app.iconHash ?? undefined,
    accentColor: (typed ?? app).accentColor ?? undefined,
    domain: ctx.app.landingDomain ?? undefined,
    ownTexts: true,
    endsAt: undefined,
  };
}

/** The app's landing page on a device, with a sample invitation. */
export async function sampleView(
  ctx: Context,
  { device, language, accent, scheme, stores = PLATFORMS }: Sample,
): Promise<LandingView> {
  const { appleAppId, androidPackage, ...sample } = await sampleInvitation(ctx, accent);
  const invitation = {
    ...sample,
    appleAppId: stores.includes("ios") ? appleAppId : undefined,
    androidPackage: stores.includes("android") ? androidPackage : undefined,
  };
  const own = await loadOwnTexts(ctx.db, ctx.app.id, language);
  return landingView(invitation, { userAgent: USER_AGENT[device], language, own, preview: scheme });
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
