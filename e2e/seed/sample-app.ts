import { eq } from "drizzle-orm";
import type { APIRequestContext } from "playwright/test";
import { uuidv7 } from "uuidv7";
import { callApi, sendRevenueCatEvent } from "@/e2e/parts/api";
import { inDatabase } from "@/e2e/parts/database";
import { sample } from "@/e2e/sample";
import type { Db } from "@/lib/platform/db/client";
import { apps, refereesInLine, referrals } from "@/lib/platform/db/schema";
import { contextOfApp } from "@/lib/testing/app-context";
import { seedAlerts, seedLanding } from "./alerts";
import { seedAppStore } from "./app-store";
import { seedProviders } from "./providers";
import { seedWebhooks } from "./webhooks";

const api = async (request: APIRequestContext, path: string, data: object) =>
  (await callApi(request, sample().api_key, path, data)).json();

const reportPurchase = (request: APIRequestContext, uid: string) =>
  sendRevenueCatEvent(request, sample().providers.revenuecat, uid, { id: `lively-${uid}` });

/** Fills the sample app with referrers and their friends. */
export async function seedReferrals(request: APIRequestContext): Promise<void> {
  for (const name of ["Anna Berg", "Ben Okafor", "Chiara Rossi"]) {
    const uid = `lively-${name.split(" ")[0]?.toLowerCase()}`;
    const { metacode } = await api(request, "referrer", { uid, metadata: { name } });
    await request.post(`/r/${metacode}/click`, { headers: { "user-agent": `Mozilla/5.0 (${uid}) Safari` } });
    for (const friend of [1, 2, 3, 4]) {
      const referee_uid = `${uid}-friend-${friend}`;
      await api(request, "referee-redeem", {
        referee_uid,
        metacode,
        platform: friend % 2 ? "ios" : "android",
      });
      if (friend < 4) await reportPurchase(request, referee_uid);
    }
    await api(request, "referrer-claim", { uid });
  }
}

/**
 * Fills every other page of the sample app, also with problems such as an unmatched event. Returns the paths of pages in
 * further states.
 */
export async function seedSampleApp(request: APIRequestContext): Promise<string[]> {
  await seedAppStore();
  await api(request, "referee-redeem", {
    referee_uid: "lively-lost",
    metacode: "unknown22",
    platform: "ios",
  });
  await reportPurchase(request, "lively-stranger");
  return seedPages();
}

/** Fills the pages that API calls cannot fill. */
function seedPages(): Promise<string[]> {
  const { workspace_id, app_id } = sample();
  return inDatabase(async (db) => {
    const ctx = await contextOfApp(db, workspace_id, app_id);
    const views = [...(await seedWebhooks(ctx)), ...(await seedProviders(ctx)), ...(await seedLanding(ctx))];
    await seedAlerts(ctx);
    await seedReview(db, app_id);
    return [...views, `/dashboard/apps/${app_id}/people?uid=lively-anna-friend-1`];
  });
}

/** A redemption beyond the limit of its referrer, in an app that holds such redemptions for review. */
async function seedReview(db: Db, appId: string): Promise<void> {
  await db.orm.update(apps).set({ reviewsBeyondCaps: true }).where(eq(apps.id, appId));
  const [referral] = await db.orm.select().from(referrals).where(eq(referrals.appId, appId)).limit(1);
  if (!referral) throw new Error("the sample app has no referral");
  const { campaignId, referrerId } = referral;
  const place = { appId, campaignId, referrerId, platform: "ios", place: uuidv7() } as const;
  await db.orm
    .insert(refereesInLine)
    .values({ ...place, refereeUid: "lively-friend-31", state: "review", beyond: "referrer_daily_cap" })
    .onConflictDoNothing();
}
