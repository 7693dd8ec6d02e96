import { and, eq, sql } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import {
  formatCount,
  formatDaysLeft,
  formatLongDate,
  formatMany,
  formatNumber,
  PLATFORM_NAME,
  PLATFORMS,
} from "@/lib/contract/format";
import { type Fact, listed } from "@/lib/outward/integration/fact";
import { refillRules, storeOffers } from "@/lib/platform/db/schema";
import { type Campaign, mayAssignCodes } from "@/lib/program/campaigns/read";
import type { PoolStock } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/** The stock of each pool by offer, the stores without codes, and offers that a store has ended. */
export async function checkCodes(ctx: Context, stock: PoolStock[], campaigns: Campaign[]): Promise<Fact[]> {
  return [
    ...PLATFORMS.map((platform) => ofStore(ctx, platform, stock, campaigns)),
    ...stock.map(ofPool),
    ...(await endedOffers(ctx)),
  ];
}

function ofStore({ app }: Context, platform: Platform, stock: PoolStock[], campaigns: Campaign[]): Fact {
  const store = PLATFORM_NAME[platform];
  const known = platform === "ios" ? app.appleAppId : app.androidPackage;
  const running = campaigns.filter(
    ({ status, startsAt }) => status === "active" && !(startsAt && startsAt.getTime() > Date.now()),
  );
  const rulesOf = (chosen: Campaign[]) =>
    chosen.flatMap(({ platforms }) => platforms.filter((rule) => rule.platform === platform));
  const assigning = rulesOf(running.filter(mayAssignCodes));
  const used = assigning.flatMap(({ refereePoolId }) => refereePoolId ?? []);
  const free = stock.filter(({ id }) => used.includes(id)).reduce((sum, pool) => sum + pool.free, 0);
  const title = `${store} codes for friends`;
  const common = { topic: "codes", subject: `store ${platform}`, rows: [], title } as const;
  const [rules] = rulesOf(running);
  if (!rules) {
    const evidence = known
      ? `The app is on ${store}, and no active campaign assigns codes there.`
      : `The app’s ${store} identity is not set, and no active campaign runs there.`;
    const step = known
      ? { path: "/campaigns", action: "Open campaigns" }
      : { path: "/settings", action: "Open settings" };
    return { ...common, ...step, state: known ? "hint" : "idle", evidence: [evidence] };
  }
  if (used.length === 0) {
    const why = assigning.length > 0 ? "The campaign has no referee pool" : "The code budget is used up";
    const path = `/campaigns/${(assigning[0] ?? rules).campaignId}`;
    const evidence = [`${why}: friends on ${store} get no codes.`];
    return { ...common, path, action: "Open the campaign", state: "warning", evidence };
  }
  return {
    ...common,
    state: free > 0 ? "good" : "warning",
    evidence: [
      free > 0
        ? `${formatCount(free, "code is", "codes are")} free for the active campaigns.`
        : `No code can be assigned: friends on ${store} get none.`,
    ],
    path: free > 0 ? "/codes" : "/codes/import",
    action: free > 0 ? "Open codes" : "Import codes",
    needs: free > 0 ? "viewer" : "member",
  };
}

function ofPool(pool: PoolStock): Fact {
  const { id, name, batches, free, nextExpiry, daysLeft, inLine, quarantined } = pool;
  const offers = new Map<string, number>();
  for (const { offer, free: left } of batches.filter((batch) => batch.free > 0))
    offers.set(offer ?? "no named offer", (offers.get(offer ?? "no named offer") ?? 0) + left);
  const byOffer = [...offers].map(([offer, left]) => `${offer} ${formatNumber(left)}`);
  return {
    topic: "codes",
    subject: id,
    rows: [id, ...batches.map((batch) => batch.id)],
    state: free > 0 ? "good" : "idle",
    title: name,
    evidence: [
      `${formatCount(free, "free code")}${byOffer.length > 0 ? `: ${byOffer.join(", ")}` : ""}.`,
      ...(daysLeft === null || free === 0
        ? []
        : [`At the pace of the last 7 days, they will last ${formatDaysLeft(daysLeft).toLowerCase()}.`]),
      ...(nextExpiry
        ? [
            `The next batch expires on ${formatLongDate(nextExpiry.at)} (${formatCount(nextExpiry.codes, "code")}).`,
          ]
        : []),
      ...(quarantined > 0 ? [`${formatCount(quarantined, "code is", "codes are")} quarantined.`] : []),
      ...(inLine > 0 ? [`${formatMany(inLine, "person is", "people are")} waiting in line.`] : []),
    ],
    path: `/codes/pools/${id}`,
    action: "Open the pool",
  };
}

/** Offers of refills that the store lists as inactive. */
async function endedOffers({ db, app }: Context): Promise<Fact[]> {
  const rows = await db.orm
    .select({ poolId: refillRules.poolId, offer: storeOffers.name })
    .from(refillRules)
    .innerJoin(
      storeOffers,
      and(
        eq(storeOffers.appId, refillRules.appId),
        sql`${refillRules.laterOffers} || jsonb_build_object('type', ${refillRules.offerType}, 'id', ${refillRules.offerId})
         @> jsonb_build_array(jsonb_build_object('type', ${storeOffers.type}, 'id', ${storeOffers.id}))`,
      ),
    )
    .where(and(eq(refillRules.appId, app.id), eq(refillRules.enabled, true), eq(storeOffers.active, false)));
  if (rows.length === 0) return [];
  const names = listed.format([...new Set(rows.map(({ offer }) => offer))]);
  return [
    {
      topic: "codes",
      subject: "ended offers",
      rows: [],
      state: "warning",
      title: "A refill uses an offer that is not active",
      evidence: [`App Store Connect lists ${names} as inactive. Choose another offer in the refill rule.`],
      path: "/codes/app-store",
      action: "Open App Store Connect",
    },
  ];
}
