import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { providerConnections, providerEvents, referrals } from "@/lib/platform/db/schema";
import { createConnection } from "@/lib/program/connections/create";
import type { ProviderName } from "@/lib/program/providers/registry";
import type { Context } from "@/lib/tenants/context";

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** The state of each provider's connection; the sample has RevenueCat and the generic provider. */
const CONNECTIONS: readonly [ProviderName, Partial<typeof providerConnections.$inferInsert>][] = [
  ["adapty", { refusedAt: ago(2) }],
  ["superwall", {}],
  ["qonversion", { enabled: false }],
  ["apphud", { formerSecret: "old", formerUntil: ago(-20) }],
  ["purchasely", { secret: "shared-secret" }],
  ["iaphub", {}],
  ["apple", {}],
  ["stripe", {}],
];

/** Events without a referral, each for another reason. */
const UNMATCHED: readonly Partial<typeof providerEvents.$inferInsert>[] = [
  { uids: ["$RCAnonymousID:8f3ad2c0b1e94c6f9d3b7a5e2c1f0a9b"] },
  { uids: [] },
  { uids: ["lively-anna-friend-4"], occurredAt: ago(30) },
  { uids: ["lively-ben-friend-4"], type: "CANCELLATION", confirmation: { kind: "reverse" } },
  { uids: ["lively-unknown"], verdict: "dismissed" },
  { uids: ["lively-tester"], verdict: "sandbox" },
  { uids: ["lively-broken"], verdict: "unreadable", payload: "<html>", failure: "The body is not JSON" },
];

/** Waiting events are read again later, so the payload repeats the values of the row. */
function inboxEvent(appId: string, connectionId: string, change: (typeof UNMATCHED)[number]) {
  const { uids = [], type = "INITIAL_PURCHASE", occurredAt } = change;
  const id = uuidv7();
  const event = {
    id,
    type,
    app_user_id: uids[0],
    store: "APP_STORE",
    environment: "SANDBOX",
    period_type: "NORMAL",
    cancel_reason: "CUSTOMER_SUPPORT",
    event_timestamp_ms: (occurredAt ?? new Date()).getTime(),
  };
  return {
    appId,
    id,
    connectionId,
    eventId: id,
    verdict: "unmatched" as const,
    appliedAt: ago(1),
    confirmation: { kind: "confirm", paid: true },
    payload: { api_version: "1.0", event },
    ...change,
    type,
    uids,
  };
}

/** Creates a connection of every provider and an inbox with every diagnosis; returns the paths of further states. */
export async function seedProviders(ctx: Context): Promise<string[]> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  const connectionIds: string[] = [];
  for (const [provider, state] of CONNECTIONS) {
    const { id } = await createConnection(ctx, { provider });
    await orm
      .update(providerConnections)
      .set({ createdAt: ago(3), ...state })
      .where(eq(providerConnections.id, id));
    connectionIds.push(id);
  }
  const [known] = await orm
    .select({ id: providerConnections.id })
    .from(providerConnections)
    .where(and(eq(providerConnections.appId, appId), eq(providerConnections.provider, "revenuecat")));
  if (!known) throw new Error("the sample has a connection of RevenueCat");
  const event = (change: (typeof UNMATCHED)[number]) => inboxEvent(appId, known.id, change);
  const unmatched = UNMATCHED.map(event);
  const [referral] = await orm
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.appId, appId), eq(referrals.refereeUid, "lively-anna-friend-1")));
  const uid = "lively-anna-friend-1";
  const linked = event({
    uids: ["$RCAnonymousID:77aa", "moved-account"],
    verdict: "confirmed",
    referralId: referral?.id ?? null,
    matchedBy: { uid, links: [{ from: uid, to: "moved-account", type: "TRANSFER" }] },
    purchaseId: "2000000123",
    links: [{ from: "$RCAnonymousID:77aa", to: "moved-account" }],
    headers: { "user-agent": "RevenueCat" },
  });
  await orm.insert(providerEvents).values([...unmatched, linked]);
  const section = `/dashboard/apps/${appId}/providers`;
  return [
    ...connectionIds.map((id) => `${section}/${id}`),
    ...unmatched.slice(0, 4).map(({ id }) => `${section}/unmatched?event=${id}`),
    ...["dismissed", "sandbox", "unreadable"].map((show) => `${section}/unmatched?show=${show}`),
    `${section}/${known.id}?event=${linked.id}`,
  ];
}
