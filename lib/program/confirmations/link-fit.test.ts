import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { referrals } from "@/lib/platform/db/schema";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const CONNECTION = "00000000-0000-7000-8000-000000000001";

useService();

/** Ben has a code of the App Store; a purchase of an unknown buyer, in this store, is in the inbox. */
async function unmatched(store: string) {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await receiveConfirmation(app.ctx, CONNECTION, {
    ...{ eventId: "purchase", type: "TEST", uids: ["$RCAnonymousID:1"], payload: { store } },
    ...{ occurredAt: null, purchaseId: null, links: [] },
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
  });
  const [event] = (await listUnmatched(app.ctx)).data;
  return { app, link: () => linkConfirmation(app.ctx, event?.id ?? "", "ben") };
}

test.each(["APP_STORE", "STRIPE", "unknown"])(
  "a purchase in %s is linked with a referral on iOS",
  async (store) => {
    const { app, link } = await unmatched(store);
    expect((await link()).status).toBe("confirmed");
    expect(await app.states()).toEqual({ ben: "redeemed" });
  },
);

test("a purchase in the other store is not, however the form was sent, and nothing changes", async () => {
  const { app, link } = await unmatched("PLAY_STORE");
  await expect(link()).rejects.toMatchObject({ code: "CONFLICT" });
  expect([await app.states(), await app.counts(), await app.emitted()]).toEqual([
    { ben: "code_assigned" },
    { confirmed: 0, earned: 0, rewards: 0 },
    {},
  ]);
  expect((await listUnmatched(app.ctx)).data).toHaveLength(1);
});

test("nor is one that had arrived before the redemption", async () => {
  const { app, link } = await unmatched("APP_STORE");
  await database()
    .orm.update(referrals)
    .set({ createdAt: sql`now() + interval '1 minute'` })
    .where(eq(referrals.appId, app.ctx.app.id));
  await expect(link()).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await app.states()).toEqual({ ben: "code_assigned" });
});
