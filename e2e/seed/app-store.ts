import { uuidv7 } from "uuidv7";
import { inDatabase } from "@/e2e/parts/database";
import { sample } from "@/e2e/sample";
import { appStoreKeys, codeRequests, pools, refillRules, storeOffers } from "@/lib/platform/db/schema";

const OFFER = { offerType: "subscription", offerId: "offer1", offerName: "One month free" } as const;

/** Requests in every state in which nothing is sent to the store. */
const REQUESTS = [
  { state: "imported", imported: 1_000, trouble: null },
  {
    state: "refused",
    imported: null,
    trouble: "Apple rejected the request. Apple says: The offer has ended.",
  },
  {
    state: "unclear",
    imported: null,
    trouble: "Apple's response was lost, and several new batches match the request.",
  },
] as const;

/** Fills the App Store Connect page with an unreadable key, offers, refills and requests in every state. */
export function seedAppStore(): Promise<unknown> {
  const { app_id: appId } = sample();
  return inDatabase(async ({ orm }) => {
    const found = (await orm.select().from(pools)).filter((pool) => pool.appId === appId);
    const [pool, other] = found.filter(({ platform }) => platform === "ios");
    if (!pool || !other) throw new Error("the sample has two pools of the App Store");
    const key = { issuerId: "57246542-96fe-1a63-e053-0824d011072a", keyId: "2X9R4HXF34", privateKey: "s1" };
    await orm
      .insert(appStoreKeys)
      .values({ appId, ...key })
      .onConflictDoNothing();
    const offer = { type: "subscription", product: "Monthly", productId: "com.example.monthly" } as const;
    await orm
      .insert(storeOffers)
      .values([
        { ...offer, appId, id: "offer1", name: "One month free", active: true },
        { ...offer, appId, id: "offer2", name: "Last summer", active: false },
      ])
      .onConflictDoNothing();
    const rule = { ...OFFER, appId, threshold: 200, amount: 1_000, quarterCap: 10_000, validDays: 90 };
    const stopped = {
      stopped: "refused",
      stoppedBecause: "Apple rejected the request. It gave no reason.",
    } as const;
    await orm
      .insert(refillRules)
      .values([
        { ...rule, poolId: pool.id, enabled: false },
        { ...rule, poolId: other.id, ...stopped },
      ])
      .onConflictDoNothing();
    const request = { ...OFFER, appId, poolId: pool.id, origin: "person", amount: 1_000 } as const;
    await orm.insert(codeRequests).values(
      REQUESTS.map((end) => ({
        ...request,
        ...end,
        expiresOn: "2099-01-01",
        storeId: null,
        id: uuidv7(),
        batchId: uuidv7(),
        endedAt: new Date(),
      })),
    );
  });
}
