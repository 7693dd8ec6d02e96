import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, ne } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { database } from "@/lib/platform/db/client";
import { codes, endUserNotes, refereesInLine, referrals, referrers } from "@/lib/platform/db/schema";
import { inboxRow } from "@/lib/program/confirmations/inbox-row";
import { drainSpool, spoolDelivery } from "@/lib/program/confirmations/spool";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { endPlaces } from "@/lib/program/line/line";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import type { Context } from "@/lib/tenants/context";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";

const folder = mkdtempSync(join(tmpdir(), "erase-race-"));
useService({ AUTH_SECRET: "a secret of the tests, 32 characters", DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

/** An open transaction that has run a statement. */
async function holding(text: string, appId: string) {
  const client = await database().pool.connect();
  await client.query("begin");
  const { rows } = await client.query(text, [appId]);
  const end = async (how = "rollback") => {
    await client.query(how);
    client.release();
  };
  return { rows, end };
}

test.each(["before", "during"])(
  "a redeem that waits for an erasure of its referee, who redeemed %s it, gets no second code",
  async (when) => {
    const { tenant, api, metacode } = await referringTenant();
    const { ctx } = tenant;
    await api.referrer("eve");
    if (when === "before") await api.redeem("eve", metacode);
    const begun = await holding("select 1 from apps where id = $1 for no key update", ctx.app.id);
    const erasing = eraseEndUser(ctx, "eve");
    await blockedBackends();
    if (when === "during") await api.redeem("eve", metacode);
    // The erasure stores its mark behind the row of the app, renames the referral, and waits for its code.
    const code = `select 1 from codes where app_id = $1 and redeemed_by_uid = 'eve' for update`;
    const held = await holding(code, ctx.app.id);
    await begun.end();
    while ((await rowsOfApp(ctx.app.id)).erased_people?.length !== 1);
    await blockedBackends();
    const redeeming = api.redeem("eve", metacode);
    while ((await blockedBackends()).length < 2);
    await held.end();
    await erasing;
    const { body } = await redeeming;
    expect([body.error.code, body.redemption]).toEqual(["ALREADY_REDEEMED", undefined]);
    const assigned = and(eq(codes.appId, ctx.app.id), ne(codes.status, "available"));
    expect(await ctx.db.orm.select().from(codes).where(assigned)).toHaveLength(1);
  },
);

test("an erasure of a referrer who is a friend too locks the referral first, as the end of holds does", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.referrer("eve");
  await api.redeem("eve", metacode);
  const { erasing } = await ctx.db.transaction(async ({ orm }) => {
    await orm.select().from(referrals).where(eq(referrals.appId, ctx.app.id)).for("update");
    const erasing = eraseEndUser(ctx, "eve");
    await Promise.race([erasing, blockedBackends()]);
    await orm.select().from(referrers).where(eq(referrers.appId, ctx.app.id)).for("no key update");
    return { erasing };
  });
  expect(await erasing).toEqual({ referrals: 1, referrer: true });
});

describe("nothing names an erased person", () => {
  const naming = async (appId: string) =>
    Object.entries(await rowsOfApp(appId)).flatMap(([table, rows]) =>
      rows.some((row) => row.includes("eve@example.com")) ? [table] : [],
    );

  test("whose claim ended while the erasure waited for it", async () => {
    const { tenant, api } = await referringTenant({ threshold: 1 });
    const { ctx } = tenant;
    await refer(tenant, (await api.referrer("eve@example.com")).body.metacode, 1);
    const claim = await holding("select claim_once($1, 'eve@example.com', null) as r", ctx.app.id);
    expect(claim.rows[0].r.verdict).toBe("OK");
    const erasing = eraseEndUser(ctx, "eve@example.com");
    await blockedBackends();
    await claim.end("commit");
    await erasing;
    expect(await naming(ctx.app.id)).toEqual([]);
  });

  test.each(["redemption", "reward"])("whose %s got another code while the erasure began", async (what) => {
    const { tenant, api, metacode } = await referringTenant({ threshold: 1 });
    const ctx = asTeamMember(tenant.ctx);
    const own = (await api.referrer("eve@example.com")).body.metacode;
    await refer(tenant, own, 1);
    const { claimed_rewards: claimed } = (await api.claim("eve@example.com")).body;
    await api.redeem("eve@example.com", metacode);
    const redeemed = await referralIdOf(ctx, "eve@example.com");
    await whileErasing(ctx, (acting) =>
      replaceCodeOf(acting, what === "reward" ? claimed[0].reward_id : redeemed, "Expired"),
    );
    expect(await naming(ctx.app.id)).toEqual([]);
  });

  test("whose redemption was released while the erasure began", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const ctx = asTeamMember(tenant.ctx);
    await api.redeem("eve@example.com", metacode);
    const referralId = await referralIdOf(ctx, "eve@example.com");
    await whileErasing(ctx, (acting) => releaseRedemption(acting, { referralId, reason: "Wrong friend" }));
    expect(await naming(ctx.app.id)).toEqual([]);
  });

  /** Begins the erasure between an action of a member and the commit of it. */
  async function whileErasing(ctx: Context, act: (acting: Context) => Promise<unknown>): Promise<void> {
    let erasing: Promise<unknown> | undefined;
    await ctx.db.transaction(async (db) => {
      await act({ ...ctx, db });
      erasing = eraseEndUser(ctx, "eve@example.com");
      await blockedBackends();
    });
    await erasing;
  }

  test("whose purchase waited in a file for the database until after the erasure; it counts all the same", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const { ctx } = tenant;
    await api.redeem("eve@example.com", metacode);
    const row = inboxRow(uuidv7(), {
      ...{ eventId: "1", type: "PURCHASE", uids: ["eve@example.com", "eve"], purchaseId: "4711" },
      ...{ payload: { app_user_id: "eve@example.com" }, occurredAt: null },
      links: [{ from: "eve@example.com", to: "eve" }],
      confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
    });
    expect(await spoolDelivery(ctx.app.id, row)).toBe(true);
    await eraseEndUser(ctx, "eve@example.com");
    expect(await drainSpool(ctx.db)).toBe(1);
    expect(await naming(ctx.app.id)).toEqual([]);
    expect((await api.referrer("ann")).body.stats.referrals_count).toBe(1);
  });

  test("whose friend's redeem read their name before the erasure and ended after it", async () => {
    const { tenant, api } = await referringTenant();
    const { ctx } = tenant;
    await createEndpoint(ctx, { url: "https://example.com/hook", events: ["referral.code_assigned"] });
    const { metacode } = (await api.referrer("eve@example.com", { name: "eve@example.com" })).body;
    const { rows, end } = await holding(
      `select redeem_metacode($1, '${metacode}', 'ios', 'bob', gen_random_uuid(), null, null, 'key', 'hash', null, 0, 0) as r, now()`,
      ctx.app.id,
    );
    expect(rows[0].r.verdict).toBe("OK");
    const erasing = eraseEndUser(ctx, "eve@example.com");
    let ended = false;
    void erasing.finally(() => {
      ended = true;
    });
    // The erasure has renamed Eve, and waits for the redeem.
    const waits = `select from pg_stat_activity where datname = current_database() and query_start > $1
      and query like '%xact\\_start between%'`;
    while (!ended && (await database().pool.query(waits, [rows[0].now])).rowCount === 0);
    await end("commit");
    await erasing;
    expect(await naming(ctx.app.id)).toEqual([]);
  });

  test.each([
    ["", 0],
    [", on a machine whose clock is an hour ahead", 3_600_000],
  ])("who redeemed and subscribed once the events had been scrubbed%s", async (_, ahead) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ahead });
    onTestFinished(() => void vi.useRealTimers());
    const { tenant, api, metacode } = await referringTenant();
    const { ctx } = tenant;
    await api.referrer("eve@example.com");
    const held = await holding("select 1 from apps where id = $1 for no key update", ctx.app.id);
    const erasing = eraseEndUser(ctx, "eve@example.com");
    await blockedBackends();
    expect((await api.redeem("eve@example.com", metacode)).status).toBe(200);
    await applyEvent(ctx, "eve@example.com");
    await held.end();
    expect(await erasing).toEqual({ referrals: 1, referrer: true });
    expect(await naming(ctx.app.id)).toEqual([]);
  });
});

describe("a redeem that puts its referee in line during their erasure", () => {
  /** Eve has a metacode, and the pool is empty. */
  async function emptyPool() {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const { ctx } = tenant;
    await api.referrer("eve");
    const inLine = async () => {
      const rows = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
      return rows.map(({ refereeUid }) => refereeUid);
    };
    const hold = await database().pool.connect();
    await hold.query("begin");
    return { ctx, api, metacode, inLine, hold };
  }

  test("and that ends first leaves no place", async () => {
    const { ctx, metacode, inLine, hold } = await emptyPool();
    const { rows } = await hold.query(
      `select redeem_metacode($1, $2, 'ios', 'eve', gen_random_uuid(), null, null, null, null, null, 0, 0) as r`,
      [ctx.app.id, metacode],
    );
    expect(rows[0].r.verdict).toBe("NO_CODES_AVAILABLE");
    const erasing = eraseEndUser(ctx, "eve");
    await blockedBackends();
    await hold.query("commit");
    hold.release();
    await erasing;
    expect(await inLine()).not.toContain("eve");
    await endPlaces(ctx);
    expect(await inLine()).toEqual([]);
  });

  test("and that ends last leaves none either, and they may join later", async () => {
    const { ctx, api, metacode, inLine, hold } = await emptyPool();
    // The erasure has the places and waits for the note.
    await ctx.db.orm.insert(endUserNotes).values({ appId: ctx.app.id, uid: "eve", notes: "Asked twice" });
    await hold.query("select 1 from end_user_notes where app_id = $1 and uid = 'eve' for update", [
      ctx.app.id,
    ]);
    const erasing = eraseEndUser(ctx, "eve");
    await blockedBackends();
    const redeeming = api.redeem("eve", metacode);
    while ((await blockedBackends()).length < 2);
    await hold.query("rollback");
    hold.release();
    await erasing;
    expect((await redeeming).body.error.code).toBe("NO_CODES_AVAILABLE");
    expect(await inLine()).not.toContain("eve");
    await eraseEndUser(ctx, "eve").catch(({ code }) => expect(code).toBe("NOT_FOUND"));
    await endPlaces(ctx);
    expect(await inLine()).toEqual([]);
    await api.redeem("eve", metacode);
    expect(await inLine()).toEqual(["eve"]);
  });
});
