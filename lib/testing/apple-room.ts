import { eq, sql } from "drizzle-orm";
import { openAppStore } from "@/lib/app-store-connect/open";
import { refreshOffers } from "@/lib/app-store-connect/refresh-offers";
import { saveStoreKey } from "@/lib/app-store-connect/save-key";
import { askForCodes } from "@/lib/code-requests/ask";
import { MEANS, type Means } from "@/lib/code-requests/means";
import type { Context } from "@/lib/context";
import { database } from "@/lib/db/client";
import { codeRequests, codes } from "@/lib/db/schema";
import { expiryIn } from "@/lib/stores/expiry-window";
import type { AppleServer } from "./app-store-connect";
import { makeTenant, type TenantOptions } from "./tenant";

const now = sql`now()`;

/** An app with a key at a store of the tests and its offers read, and what tests do with its requests. */
export async function appleRoom(apple: AppleServer, options: TenantOptions = {}) {
  const { ctx, pools, key } = await makeTenant({ codes: 0, ...options });
  const means: Means = {
    ...MEANS,
    open: (scope) => openAppStore(scope, { base: apple.url, wait: async () => undefined }),
  };
  await saveStoreKey(ctx, apple.key);
  await refreshOffers(ctx, means.open);
  const poolId = pools.ios.referee;
  const expiresOn = expiryIn(90, new Date());
  const ask = async (amount = 20) => {
    await askForCodes(ctx, { poolId, offer: "subscription:offer1", amount, expiresOn });
    return (await requests()).at(-1)?.id ?? "";
  };
  const mine = eq(codeRequests.appId, ctx.app.id);
  const requests = () =>
    database().orm.select().from(codeRequests).where(mine).orderBy(codeRequests.createdAt);
  /** As if so much time had passed: leases are over, waits too. */
  const pass = (minutes: number) =>
    database()
      .orm.update(codeRequests)
      .set({
        leasedUntil: null,
        dueAt: now,
        postedAt: sql`${codeRequests.postedAt} - make_interval(mins => ${minutes})`,
      })
      .where(mine);
  const stored = async (scope: Context = ctx) =>
    (await database().orm.select({ code: codes.code }).from(codes).where(eq(codes.appId, scope.app.id))).map(
      ({ code }) => code,
    );
  return { ctx, pools, key, poolId, expiresOn, means, ask, requests, pass, stored };
}

/** Everything that the store made for an offer's requests. */
export const madeCodes = (apple: AppleServer): string[] =>
  apple.books.batches.flatMap(({ codes: made }) => made);
