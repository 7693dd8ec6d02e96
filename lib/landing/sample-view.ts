import type { Context } from "@/lib/context";
import type { Platform } from "@/lib/contract/fields";
import type { LandingView } from "@/lib/contract/landing";
import { landingView } from "@/lib/landing/view";

const PHONE: Record<Platform, string> = { ios: "iPhone", android: "Android" };

/** What somebody with such a phone sees who opens an invitation of this app, with a name and a metacode made up. */
export function sampleView(ctx: Context, platform: Platform): LandingView {
  const { id: appId, name: appName, appleAppId, androidPackage } = ctx.app;
  const invitation = {
    ...{
      appId,
      referrerId: appId,
      metacode: SAMPLE_METACODE,
      inviter: "Anna",
      appName,
      state: "open" as const,
    },
    appleAppId: appleAppId ?? undefined,
    androidPackage: androidPackage ?? undefined,
    ...{ iconHash: undefined, accentColor: undefined },
    domain: ctx.app.landingDomain ?? undefined,
  };
  return landingView(invitation, PHONE[platform], undefined);
}

const SAMPLE_METACODE = "k7m2p9xd";
