import { and, eq, type SQL, sql } from "drizzle-orm";
import pg from "pg";
import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import { createChannel } from "@/lib/outward/problems/channels";
import { database } from "@/lib/platform/db/client";
import { emails, rounds } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { inboxRow } from "@/lib/program/confirmations/inbox-row";
import { drainSpool, spoolDelivery } from "@/lib/program/confirmations/spool";
import { takeDelivery } from "@/lib/program/confirmations/take-delivery";
import { flushRefusals } from "@/lib/program/connections/prove";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { onCluster } from "@/lib/testing/database/cluster";
import { temporaryFolder } from "@/lib/testing/folder";
import { connectedApp, postDelivery } from "@/lib/testing/provider-events/deliver";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { makeReceiver } from "@/lib/testing/webhooks/webhooks";
import { markChangedApps, watchBacklogs } from "./mark-apps";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

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

/** The apps whose checks are due, of those that have no rounds yet. */
async function checkedAfter(mark: () => Promise<void>): Promise<string[]> {
  await database().orm.delete(rounds);
  await mark();
  const checks = await database().orm.select().from(rounds).where(eq(rounds.name, "checks"));
  return checks.map(({ appId }) => appId);
}

const CHANGES: [what: string, (app: string) => SQL][] = [
  [
    "a provider's delivery with a wrong secret",
    (app) => sql`update provider_connections set refused_at = now() where app_id = ${app}`,
  ],
  [
    "an unmatched event",
    (
      app,
    ) => sql`insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, payload, verdict)
      values (${app}, new_id(), new_id(), 'e', 'T', '{}', '{}', '{}', 'unmatched')`,
  ],
  [
    "an endpoint about which its owners were warned",
    (app) => sql`update webhook_endpoints set warned_at = now() where app_id = ${app}`,
  ],
  [
    "a refusal by a limit of a key",
    (app) => sql`insert into key_refusals (app_id, key_id, limit_name, refused, since, last_at, until)
      values (${app}, new_id(), 'burst', 1, now(), now(), now())`,
  ],
  [
    "a reward that waits",
    (
      app,
    ) => sql`insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number, waits_since)
      values (${app}, new_id(), new_id(), new_id(), 'ios', 1, now())`,
  ],
  [
    "a refill that stopped",
    (app) => sql`insert into refill_rules
        (app_id, pool_id, offer_type, offer_id, offer_name, threshold, amount, quarter_cap, valid_days, stopped_at)
      values (${app}, new_id(), 'subscription', 'o', 'O', 1, 1, 1, 1, now())`,
  ],
  [
    "an entry of the audit log",
    (
      app,
    ) => sql`insert into audit_log (workspace_id, app_id, id, actor_kind, actor_name, action, subject, subject_id)
      select workspace_id, id, new_id(), 'system', '', 'app.changed', 'app', '' from apps where id = ${app}`,
  ],
];

test.each(CHANGES)("an app is checked after %s", async (_, change) => {
  const { app } = await connectedApp();
  await makeReceiver(app.ctx);
  for (const table of ["outbox", "audit_log"]) await database().orm.execute(sql.raw(`delete from ${table}`));
  const mark = () => markChangedApps(database(), new Date().toISOString());
  expect(await checkedAfter(mark)).not.toContain(app.ctx.app.id);
  await database().orm.execute(change(app.ctx.app.id));
  expect(await checkedAfter(mark)).toContain(app.ctx.app.id);
});

test("the first look of a new version reads one unmatched event of each app, however many a week brought", async () => {
  const { app } = await connectedApp();
  const { pool } = database();
  await pool.query(
    `insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, payload, verdict)
     select $1, new_id(), $1, 'e' || n, 'T', '{}', '{}', '{}', 'unmatched' from generate_series(1, 300) n`,
    [app.ctx.app.id],
  );
  const spy = vi.spyOn(pg.Client.prototype, "query");
  const checked = await checkedAfter(() => markChangedApps(database(), null));
  const sent = spy.mock.calls as unknown as [{ text?: string }, unknown[]][];
  const [look] = sent.filter(([{ text }]) => text?.includes("from provider_events"));
  spy.mockRestore();
  expect(checked).toContain(app.ctx.app.id);
  const { rows } = await pool.query(`explain (analyze, costs off, timing off) ${look?.[0].text}`, look?.[1]);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/ provider_events_verdict(_\d+)? on provider_events(_\d+ \w+)? \(actual rows=[01]\b/);
});

test("emails that are late have the apps with a chat checked, which alone hears of it in time", async () => {
  const [withChat, withMail] = [await makeTenant(), await makeTenant()].map(({ ctx }) => asTeamMember(ctx));
  if (!withChat || !withMail) throw new Error("No app was made.");
  const target = "https://hooks.example.com/ops";
  await createChannel(withChat, { type: "slack", name: "", target, kinds: ["backlog"] });
  await createChannel(withMail, { type: "mail", name: "", target: "ops@example.com", kinds: ["backlog"] });
  const email = { id: uuidv7(), recipient: "ann@example.com", subject: "Hello", text: "Hello" };
  const mark = () => watchBacklogs(database());
  for (const [minutes, checked] of [
    [9, []],
    [11, [withChat.app.id]],
  ] as const) {
    await database().orm.delete(emails);
    const dueAt = sql`now() - make_interval(mins => ${minutes})`;
    await database()
      .orm.insert(emails)
      .values({ ...email, dueAt });
    expect(await checkedAfter(mark)).toEqual(checked);
  }
});

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

test.skipIf(onCluster())(
  "a delivery that cannot be read has its app checked, also if the refusals of a connection cannot be stored (a cluster has no triggers)",
  async () => {
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
  },
);
