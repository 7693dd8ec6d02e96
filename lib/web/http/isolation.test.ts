import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeAll, describe, expect, test } from "vitest";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import {
  deleteEndpoint,
  disableEndpoint,
  rotateEndpointSecret,
} from "@/lib/outward/webhooks/manage-endpoints";
import { clicks, requestSubjects, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { endCampaign, pauseCampaign } from "@/lib/program/campaigns/lifecycle";
import { quarantineBatch, undoBatch } from "@/lib/program/codes/batch-state";
import { getBatch } from "@/lib/program/codes/get-batch";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { dismissConfirmation, linkConfirmation } from "@/lib/program/confirmations/resolve";
import {
  type Connection,
  type ConnectionWithSecret,
  getConnection,
} from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import {
  deleteConnection,
  disableConnection,
  renameConnection,
  rotateConnectionSecret,
  updateSigningSecret,
  updateWebPurchases,
} from "@/lib/program/connections/update";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { getPool } from "@/lib/program/pools/get";
import { updateEndUserNotes, updateReferrerStatus } from "@/lib/program/referrers/update";
import { batchStock } from "@/lib/program/stats/stock";
import { revokeKey, rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { listKeys } from "@/lib/tenants/api-keys/list";
import type { Context } from "@/lib/tenants/context";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { MOUNTS, type Mount } from "@/lib/testing/http/mounts";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";

useService({ IP_REQUESTS_PER_MINUTE: "1000000" });

/** A workspace with one row of each kind, and the ids that another workspace might try. */
interface Whole extends Tenant {
  ids: Record<
    "referrer" | "metacode" | "click" | "webhook" | "delivery" | "batch" | "key" | "event" | "nothing",
    string
  >;
  connection: ConnectionWithSecret;
}

async function whole(): Promise<Whole> {
  const tenant = await makeTenant({ sandbox: true, codes: 12 });
  const { ctx, key } = tenant;
  const { body } = await clientOf(key).referrer("ann");
  await refer(tenant, body.metacode, 4);
  await clientOf(key).redeem("open", body.metacode);
  await applyEvent(ctx, "stranger");
  const [click, webhook, delivery] = [uuidv7(), uuidv7(), uuidv7()];
  const appId = ctx.app.id;
  await ctx.db.orm
    .insert(clicks)
    .values({ appId, id: click, referrerId: body.referrer_id, visitor: Buffer.from("v") });
  await ctx.db.orm
    .insert(webhookEndpoints)
    .values({ appId, id: webhook, url: "https://example.com", events: [], secret: "whsec_x" });
  await ctx.db.orm.insert(webhookDeliveries).values({
    ...{ appId, id: delivery, endpointId: webhook, eventId: uuidv7(), eventType: "x", status: "pending" },
  });
  const connection = await createConnection(ctx, { provider: "revenuecat" });
  const [[batch], [first], { data }] = await Promise.all([
    batchStock(ctx),
    listKeys(ctx),
    listUnmatched(ctx),
  ]);
  const ids = { referrer: body.referrer_id, metacode: body.metacode, click, webhook, delivery };
  const more = { batch: batch?.id ?? "", key: first?.id ?? "", event: data[0]?.id ?? "", nothing: uuidv7() };
  return { ...tenant, ids: { ...ids, ...more }, connection };
}

let mine: Whole;
let theirs: Whole;
let mount: Mount;
let before: Record<string, string[]>;

beforeAll(async () => {
  [mine, theirs] = [await whole(), await whole()];
  mount = await MOUNTS.handlers();
  before = await rowsOfApp(theirs.ctx.app.id);
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(14);
  expect(Object.values(theirs.ids).every(Boolean)).toBe(true);
});

/** Everything but the request id. */
const said = ({ status, body }: ApiReply) => [status, { ...body, error: { ...body.error, request_id: "" } }];
const unchanged = async () => expect(await rowsOfApp(theirs.ctx.app.id)).toEqual(before);

describe("with my key", () => {
  test("their metacode is unknown, also with their click", async () => {
    const api = clientOf(mine.key);
    const unknown = said(await api.redeem("bob", "zzzzzzzz"));
    expect(said(await api.redeem("bob", theirs.ids.metacode))).toEqual(unknown);
    const crossed = await api.redeem("bob", mine.ids.metacode, "ios", { click_id: theirs.ids.click });
    expect(crossed.status).toBe(200);
    await unchanged();
  });

  test("their users are separate from mine with the same uid", async () => {
    const api = clientOf(mine.key);
    expect((await api.referrer("ann")).body.referrer_id).toBe(mine.ids.referrer);
    expect((await api.referrer("open")).body.stats.referrals_count).toBe(0);
    expect((await clientOf((await makeTenant()).key).claim("ann")).status).toBe(404);
    expect((await api.claim("ann")).body.claimed_rewards).toHaveLength(1);
    await unchanged();
  });

  test("their Idempotency-Keys are free for mine", async () => {
    const headers = { "idempotency-key": "same" };
    const first = await clientOf(mine.key).redeem("k", mine.ids.metacode, "android", {}, headers);
    const { key } = await makeTenant();
    const { metacode } = (await clientOf(key).referrer("ann")).body;
    const other = await clientOf(key).redeem("k", metacode, "android", {}, headers);
    expect([first.status, other.status, other.headers.get("idempotency-replayed")]).toEqual([200, 200, null]);
  });

  test.each(["", "/deliveries"])("their webhook answers%s like one that does not exist", async (tail) => {
    const read = (id: string, key: string) =>
      mount.ask(`/api/webhooks/${id}${tail}`, { method: "GET", headers: { "x-api-key": key } });
    const [crossed, nothing] = [
      await read(theirs.ids.webhook, mine.key),
      await read(theirs.ids.nothing, mine.key),
    ];
    expect(crossed.status).toBe(404);
    expect(said(crossed)).toEqual(said(nothing));
    expect((await read(theirs.ids.webhook, theirs.key)).status).toBe(200);
  });

  test("the list of webhooks is mine", async () => {
    const { body } = await mount.ask("/api/webhooks", { method: "GET", headers: { "x-api-key": mine.key } });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([mine.ids.webhook]);
  });
});

describe("from my provider", () => {
  const deliver = (connection: Connection, secret: string, uid: string) =>
    mount.ask(new URL(connection.url).pathname, {
      headers: { authorization: secret },
      body: JSON.stringify({
        api_version: "1.0",
        event: { id: uuidv7(), type: "INITIAL_PURCHASE", app_user_id: uid, environment: "PRODUCTION" },
      }),
    });

  test("no event passes at their address, nor for their users at mine", async () => {
    expect((await deliver(theirs.connection, mine.connection.secret, "open")).status).toBe(401);
    const other = await makeTenant();
    const own = await createConnection(other.ctx, { provider: "revenuecat" });
    const { status, body } = await deliver(own, own.secret, "open");
    expect([status, body.matched]).toEqual([200, false]);
    await unchanged();
    expect((await deliver(mine.connection, mine.connection.secret, "open")).body.matched).toBe(true);
    await unchanged();
  });
});

type Attempt = (ctx: Context, { ids, connection, campaignId, pools }: Whole) => Promise<unknown>;

/** Verbs of the dashboard, each with an id of another app. */
const ATTEMPTS: Record<string, Attempt> = {
  revokeKey: (ctx, { ids }) => revokeKey(ctx, { keyId: ids.key }),
  rotateKey: (ctx, { ids }) => rotateKey(ctx, { keyId: ids.key, grace: "now" }),
  getPool: (ctx, { pools }) => getPool(ctx, pools.ios.referee),
  getBatch: (ctx, { ids }) => getBatch(ctx, ids.batch),
  undoBatch: (ctx, { ids }) => undoBatch(ctx, ids.batch),
  quarantineBatch: (ctx, { ids }) => quarantineBatch(ctx, ids.batch),
  pauseCampaign: (ctx, { campaignId }) => pauseCampaign(ctx, campaignId),
  endCampaign: (ctx, { campaignId }) => endCampaign(ctx, campaignId),
  updateReferrerStatus: (ctx, { ids }) => updateReferrerStatus(ctx, ids.referrer, "ended"),
  linkConfirmation: (ctx, { ids }) =>
    linkConfirmation(ctx, { eventId: ids.event, uid: "open", reason: "The receipt" }),
  getConnection: (ctx, { connection }) => getConnection(ctx, connection.id),
  rotateConnectionSecret: (ctx, { connection }) => rotateConnectionSecret(ctx, connection.id),
  updateWebPurchases: (ctx, { connection }) => updateWebPurchases(ctx, connection.id, true),
  updateSigningSecret: (ctx, { connection }) => updateSigningSecret(ctx, connection.id, null),
  disableConnection: (ctx, { connection }) => disableConnection(ctx, connection.id),
  renameConnection: (ctx, { connection }) => renameConnection(ctx, connection.id, "x"),
  deleteConnection: (ctx, { connection }) => deleteConnection(ctx, connection.id),
  replayConfirmation: (ctx, { ids }) => replayConfirmation(ctx, ids.event),
  dismissConfirmation: (ctx, { ids }) => dismissConfirmation(ctx, ids.event),
  rotateEndpointSecret: (ctx, { ids }) => rotateEndpointSecret(ctx, ids.webhook, "now"),
  setEndpointEnabled: (ctx, { ids }) => disableEndpoint(ctx, ids.webhook),
  deleteEndpoint: (ctx, { ids }) => deleteEndpoint(ctx, ids.webhook),
};

test("my erasure of a user changes no row of theirs with the same uid", async () => {
  const customer = async () => {
    const made = await referringTenant({ threshold: 1, codes: 5 });
    const { api, metacode, tenant } = made;
    const ctx = asTeamMember(tenant.ctx);
    await api.redeem("same", metacode);
    await applyEvent(ctx, "same", "confirm", { purchase: "GPA.1" });
    await refer(tenant, (await api.referrer("same", { name: "Pat" })).body.metacode, 1);
    await api.claim("same", { "idempotency-key": "claim" });
    await updateEndUserNotes(ctx, { uid: "same", notes: "Wrote to us" });
    await joinUids(ctx, { uid: "same", otherUid: "other", reason: "One person", keepApart: "true" });
    await flushRequests();
    return ctx;
  };
  const [own, { app }] = [await customer(), await customer()];
  const rows = async () => [
    await rowsOfApp(app.id),
    await own.db.orm.$count(requestSubjects, eq(requestSubjects.appId, app.id)),
  ];
  const unerased = await rows();
  expect(unerased[1]).toBeGreaterThan(2);
  await eraseEndUser(own, "same");
  expect(await rows()).toEqual(unerased);
});

test("links and purchases of their users match none of mine", async () => {
  const [own, other] = [await referringTenant(), await referringTenant()];
  for (const { api, metacode } of [own, other]) await api.redeem("old-id", metacode);
  const join = { uid: "new-id", otherUid: "old-id", reason: "One person", keepApart: "true" } as const;
  await joinUids(asTeamMember(other.tenant.ctx), join);
  await applyEvent(other.tenant.ctx, "old-id", "confirm", { purchase: "GPA.1" });
  for (const about of [{}, { purchase: "GPA.1" }])
    expect(await applyEvent(own.tenant.ctx, "new-id", "confirm", about)).toBe("unmatched");
});

describe("in my dashboard", () => {
  test.each(Object.entries(ATTEMPTS))("%s finds nothing of theirs", async (_, attempt) => {
    await expect(attempt(mine.ctx, theirs)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await unchanged();
  });

  test("the comparison covers every table", async () => {
    await theirs.ctx.db.orm
      .update(clicks)
      .set({ visitor: Buffer.from("changed") })
      .where(eq(clicks.appId, theirs.ctx.app.id));
    expect(await rowsOfApp(theirs.ctx.app.id)).not.toEqual(before);
  });
});
