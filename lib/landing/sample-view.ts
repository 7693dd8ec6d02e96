import { eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Platform } from "@/lib/contract/fields";
import type { LandingView } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { SAMPLE_INVITER, SAMPLE_METACODE } from "@/lib/contract/landing-sample";
import { apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import type { Invitation } from "@/lib/landing/find-invitation";
import { readOwnTexts } from "@/lib/landing/own-texts";
import { landingView } from "@/lib/landing/view";

interface Sample {
  platform: Platform;
  language: LandingLanguage;
}

const PHONE: Record<Platform, string> = { ios: "iPhone", android: "Android" };

/** What somebody with such a phone sees who opens an invitation of this app, with a name and a metacode made up. */
export async function sampleView(ctx: Context, sample: Sample): Promise<LandingView> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  if (!app) return fail("NOT_FOUND", "There is no such app");
  const invitation: Invitation = {
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
  const own = await readOwnTexts(ctx.db, app.id, sample.language);
  const visit = { userAgent: PHONE[sample.platform], language: sample.language, own, preview: true };
  return landingView(invitation, visit);
}
