import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { rounds } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { inboxRow } from "@/lib/program/confirmations/inbox-row";
import { drainSpool, spoolDelivery } from "@/lib/program/confirmations/spool";
import { takeDelivery } from "@/lib/program/confirmations/take-delivery";
import { flushRefusals } from "@/lib/program/connections/prove";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { temporaryFolder } from "@/lib/testing/folder";
import { connectedApp, postDelivery } from "@/lib/testing/provider-events/deliver";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { markChangedApps } from "./mark-apps";

useService();

test.each([
  ["after the last run", 60_000],
  ["after an outage", 86_400_000],
])(
  "a friend who joins the line starts a check, which may request other codes for them: %s",
  async (_, ms) => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const appId = tenant.ctx.app.id;
    await database().orm.execute(sql`update outbox set created_at = now() - interval '8 days'`);
    await database().orm.execute(sql`update audit_log set created_at = now() - interval '8 days'`);
    await database().orm.delete(rounds);
    await database().orm.insert(rounds).values({
      appId,
      name: "checks",
      dueAt: sql`now() + interval '1 day'`,
      seenAt: sql`now() - interval '1 hour'`,
    });
    const mark = () => markChangedApps(database(), new Date(Date.now() - ms).toISOString());
    const dueIn = async () => {
      const checks = and(eq(rounds.appId, appId), eq(rounds.name, "checks"));
      const [row] = await database().orm.select().from(rounds).where(checks);
      return (row?.dueAt?.getTime() ?? 0) - Date.now();
    };
    await mark();
    expect(await dueIn()).toBeGreaterThan(3_600_000);
    expect((await api.redeem("amy", metacode)).status).toBe(503);
    await mark();
    expect(await dueIn()).toBeLessThanOrEqual(0);
  },
);

test("an event that waited in a file, is older than the last run and matches no referral has its app checked", async () => {
  Object.assign(env(), { DATA_DIR: await temporaryFolder() });
  const { ctx } = await makeTenant();
  const event = {
    type: "TEST",
    uids: ["stranger"],
    payload: {},
    occurredAt: null,
    purchaseId: null,
    links: [],
  };
  const confirmation = { kind: "confirm", paid: true, renewal: false, sandbox: false } as const;
  await spoolDelivery(ctx.app.id, inboxRow(uuidv7(), { ...event, eventId: uuidv7(), confirmation }));
  await ctx.db.orm.delete(rounds);
  expect(await drainSpool(ctx.db)).toBe(1);
  const checked = await ctx.db.orm.select().from(rounds).where(eq(rounds.name, "checks"));
  expect(checked.map(({ appId }) => appId)).toEqual([ctx.app.id]);
});

test("a delivery that cannot be read has its app checked, also if the refusals of a connection cannot be stored", async () => {
  const { app, connection } = await connectedApp();
  await postDelivery(connection, { body: {}, headers: { authorization: "wrong" } });
  const rawBody = new TextEncoder().encode("{}");
  const delivery = { headers: new Headers(), rawBody, url: new URL("https://metacode.example") };
  await database().orm.delete(rounds);
  const taken = takeDelivery(app.ctx, uuidv7(), PROVIDERS.generic.adapter, delivery as never);
  await expect(taken).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await database().pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on connection_refusals for each row execute function refuse()`);
  await expect(flushRefusals(database())).rejects.toThrow();
  await database().pool.query("drop function refuse cascade");
  const checked = await database().orm.select().from(rounds).where(eq(rounds.name, "checks"));
  expect(checked.map(({ appId }) => appId)).toEqual([app.ctx.app.id]);
});
