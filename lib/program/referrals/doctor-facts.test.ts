import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { providerEvents, referrals } from "@/lib/platform/db/schema";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { createConnection } from "@/lib/program/connections/create";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("a purchase in a web shop since the redemption is a finding, because it is ignored; an earlier event is none", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const { id: connection } = await createConnection(ctx, { provider: "revenuecat" });
  const ignored = (type: string) => {
    const confirmation: Confirmation = { kind: "ignore", paid: true, renewal: false, sandbox: false };
    const event = { eventId: uuidv7(), type, uids: ["ben"], payload: { store: "STRIPE" }, confirmation };
    return receiveConfirmation(ctx, connection, { ...event, occurredAt: null, purchaseId: null, links: [] });
  };
  const findings = async () => diagnoseReferral(ctx, await getReferral(ctx, await referralIdOf(ctx, "ben")));
  await ignored("EXPIRATION");
  const hoursAgo = (hours: number) => ({ createdAt: sql`now() - make_interval(hours => ${hours})` });
  await ctx.db.orm.update(providerEvents).set(hoursAgo(5)).where(eq(providerEvents.appId, ctx.app.id));
  await api.redeem("ben", metacode);
  await ctx.db.orm.update(referrals).set(hoursAgo(2)).where(eq(referrals.appId, ctx.app.id));
  expect(await findings()).toMatchObject([{ why: "silent" }]);
  await ignored("INITIAL_PURCHASE");
  expect(await findings()).toMatchObject([{ why: "ignored", type: "INITIAL_PURCHASE" }]);
});
