import { eq, sql } from "drizzle-orm";
import { database } from "@/lib/platform/db/client";
import { codeRequests, codes } from "@/lib/platform/db/schema";
import { connectAppStore } from "@/lib/program/app-store-connect/connect";
import { refreshOffers } from "@/lib/program/app-store-connect/refresh-offers";
import { updateStoreKey } from "@/lib/program/app-store-connect/store-key";
import { WORK_OPTIONS, type WorkOptions } from "@/lib/program/code-requests/advance";
import { createCodeRequest } from "@/lib/program/code-requests/create";
import { expiryIn } from "@/lib/program/stores/expiry";
import type { Context } from "@/lib/tenants/context";
import type { AppleServer } from "@/lib/testing/app-store/server";
import { later } from "@/lib/testing/clock";
import { makeTenant, type TenantOptions } from "@/lib/testing/tenant";

const now = sql`now()`;

export type AppleTenant = Awaited<ReturnType<typeof makeAppleTenant>>;

/** An app with a key for the test store and its offers, and helpers for its requests. */
export async function makeAppleTenant(apple: AppleServer, options: TenantOptions = {}) {
  const { ctx, pools, key, campaignId } = await makeTenant({ codes: 0, ...options });
  const work: WorkOptions = {
    ...WORK_OPTIONS,
    connect: (scope) => connectAppStore(scope, { base: apple.url, wait: async () => undefined }),
  };
  await updateStoreKey(ctx, apple.key);
  await refreshOffers(ctx, work.connect);
  const poolId = pools.ios.referee;
  const expiresOn = expiryIn(90, new Date());
  const request = async (amount = 20) => {
    await createCodeRequest(ctx, { poolId, offer: "subscription:offer1", amount, expiresOn });
    return (await requests()).at(-1)?.id ?? "";
  };
  const own = eq(codeRequests.appId, ctx.app.id);
  const requests = () =>
    database().orm.select().from(codeRequests).where(own).orderBy(codeRequests.createdAt);
  /** Moves the requests' clock forward, so that leases and waits have ended. */
  const pass = (minutes: number) =>
    database()
      .orm.update(codeRequests)
      .set({
        leasedUntil: null,
        dueAt: now,
        postedAt: later(codeRequests.postedAt, -60 * minutes),
      })
      .where(own);
  const stored = async (scope: Context = ctx) =>
    (await database().orm.select({ code: codes.code }).from(codes).where(eq(codes.appId, scope.app.id))).map(
      ({ code }) => code,
    );
  return { ctx, pools, key, campaignId, poolId, expiresOn, work, request, requests, pass, stored };
}

/** Every code that the store created. */
export const createdCodes = (apple: AppleServer): string[] =>
  apple.books.batches.flatMap(({ codes: batch }) => batch);
