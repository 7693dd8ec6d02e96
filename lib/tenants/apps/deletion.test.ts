import { and, eq, isNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { databaseTime } from "@/lib/platform/db/chunks";
import { database } from "@/lib/platform/db/client";
import {
  apps,
  auditLog,
  batches,
  refereesInLine,
  slugDirectory,
  webhookDeliveries,
} from "@/lib/platform/db/schema";
import { createConnection } from "@/lib/program/connections/create";
import { findConnection } from "@/lib/program/connections/find";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { deleteApp, GRACE_DAYS, listDeletedApps, restoreApp } from "@/lib/tenants/apps/delete";
import { getUserApp } from "@/lib/tenants/apps/get";
import { listAppSummaries } from "@/lib/tenants/apps/list";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { deleteWorkspace } from "@/lib/tenants/workspaces/delete";
import { addMember } from "@/lib/tenants/workspaces/members";
import { later } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { openPage } from "@/lib/testing/landing";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { makeWorkspace } from "@/lib/testing/workspace";

useService();

const DAY = 86_400_000;

function workspaceContext(ctx: Context): WorkspaceContext {
  const actor = { kind: "user", id: uuidv7(), name: "Ann", address: "192.0.2.1" } as const;
  const workspace = { id: ctx.workspace.id, name: "Test", plan: "pro" } as const;
  return { workspace, actor, role: "owner", db: ctx.db };
}

/** The responses of an app's public addresses. */
async function seen({ tenant, api, metacode }: Awaited<ReturnType<typeof referringTenant>>) {
  const { ctx } = tenant;
  const user = await createUser(ctx.db, {
    email: `${uuidv7()}@example.com`,
    name: "Ann",
    password: "long enough",
  });
  await addMember(ctx.db, { workspaceId: ctx.workspace.id, userId: user.id, role: "owner" });
  return {
    api: (await api.referrer("ann")).status,
    page: (await openPage(metacode)).status,
    dashboard: await getUserApp(ctx.db, user.id, ctx.app.id).then(
      () => "there",
      () => "gone",
    ),
    listed: (await listAppSummaries(ctx.db, [ctx.workspace.id])).length,
  };
}

const THERE = { api: 200, page: 200, dashboard: "there", listed: 1 };
const GONE = { api: 401, page: 404, dashboard: "gone", listed: 0 };

describe("a deleted app", () => {
  test("is unknown everywhere, and comes back whole", async () => {
    const made = await referringTenant();
    const { ctx } = made.tenant;
    const before = await rowsOfApp(ctx.app.id);
    await deleteApp(ctx);
    expect(await seen(made)).toEqual(GONE);
    expect(await listDeletedApps(ctx.db, [ctx.workspace.id])).toMatchObject([{ id: ctx.app.id }]);
    await restoreApp(workspaceContext(ctx), ctx.app.id);
    expect(await rowsOfApp(ctx.app.id)).toMatchObject({ ...before, audit_log: expect.anything() });
    expect((await made.api.referrer("ann")).status).toBe(200);
  });

  test("keeps the codes that are set aside, for 48 hours more once it is restored, but no expired one and none for erased people", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const { ctx } = tenant;
    for (const uid of ["ada", "ben", "cem"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 2 });
    expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(2);
    const ending = await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
    await deleteApp(ctx);
    await ctx.db.orm
      .update(apps)
      .set({ deletedAt: new Date(Date.now() - 3 * DAY) })
      .where(eq(apps.id, ctx.app.id));
    await ctx.db.orm.update(batches).set({ expiresAt: new Date() }).where(eq(batches.id, ending));
    const places = eq(refereesInLine.appId, ctx.app.id);
    const until = (uid: string, reservedUntil: Date) =>
      ctx.db.orm
        .update(refereesInLine)
        .set({ reservedUntil })
        .where(and(places, eq(refereesInLine.refereeUid, uid)));
    await until("ada", new Date(Date.now() - DAY));
    await until("ben", new Date(0));
    await restoreApp(workspaceContext(ctx), ctx.app.id);
    await endPlaces(ctx);
    const left = await ctx.db.orm.select().from(refereesInLine).where(places);
    expect(left.map(({ refereeUid }) => refereeUid).sort()).toEqual(["ada", "cem"]);
    expect(Number(left[0]?.reservedUntil) - Date.now()).toBeGreaterThan(1.9 * DAY);
    // The code of the erased referee takes the place of the expired one.
    for (const uid of ["ada", "cem"]) expect((await api.redeem(uid, metacode)).status).toBe(200);
  });

  test("its provider address answers nothing", async () => {
    const { tenant } = await referringTenant();
    const { ctx } = tenant;
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    await deleteApp(ctx);
    expect(await findConnection(ctx.db, "revenuecat", id)).toBeUndefined();
  });

  test("a living one is seen", async () => {
    expect(await seen(await referringTenant())).toEqual(THERE);
  });

  test("is restored by its own workspace only", async () => {
    const [mine, other] = [await referringTenant(), await referringTenant()];
    await deleteApp(mine.tenant.ctx);
    await expect(
      restoreApp(workspaceContext(other.tenant.ctx), mine.tenant.ctx.app.id),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("is not restored into a workspace that is being deleted", async () => {
    const { tenant, workspaceContext: owner } = await makeWorkspace();
    const appId = tenant.ctx.app.id;
    await deleteApp(tenant.ctx);
    let restored: Promise<unknown> | undefined;
    await database().transaction(async (db) => {
      await deleteWorkspace({ ...owner, db }, { confirm: owner.workspace.name });
      restored = restoreApp(owner, appId).catch(({ code }) => code);
      await Promise.race([blockedBackends(), restored]);
    });
    expect(await restored).toBe("NOT_FOUND");
    const [row] = await database().orm.select().from(apps).where(eq(apps.id, appId));
    expect(row?.deletedAt).not.toBeNull();
  });

  test("its rows go after the days of grace, every other app's stay", async () => {
    const [mine, other] = [await referringTenant(), await makeTenant()];
    const { ctx } = mine.tenant;
    await mine.api.redeem("bob", mine.metacode);
    const { referrer_id } = (await mine.api.referrer("ann")).body;
    // A former metacode stays reserved for its referrer until the referrer is deleted as well.
    for (const metacode of ["purged-one", "purged-two"]) await updateMetacode(ctx, referrer_id, metacode);
    const before = await rowsOfApp(other.ctx.app.id);
    await deleteApp(ctx);
    const inDays = (days: number) => new Date(Date.now() + days * DAY);
    expect(await purgeApps(ctx.db, inDays(GRACE_DAYS - 1))).toBe(0);
    expect(await purgeApps(ctx.db, inDays(GRACE_DAYS + 1))).toBeGreaterThan(40);
    const left = Object.entries(await rowsOfApp(ctx.app.id)).filter(([, rows]) => rows.length > 0);
    expect(left.map(([table]) => table)).toEqual(["audit_log"]);
    expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
    const freed = eq(slugDirectory.slug, mine.metacode);
    expect(await ctx.db.orm.select().from(slugDirectory).where(freed)).toEqual([]);
  });

  test("its rows go, also one that a sender of webhooks changes meanwhile", async () => {
    const { ctx } = await makeTenant({ app: { deletedAt: new Date(0) } });
    const { app, db } = ctx;
    const parked = {
      appId: app.id,
      endpointId: uuidv7(),
      eventType: "reward.earned",
      status: "pending",
    } as const;
    const [first, second] = [uuidv7(), uuidv7()];
    await db.orm
      .insert(webhookDeliveries)
      .values([first, second].map((id) => ({ ...parked, id, eventId: id })));
    let purged: Promise<unknown> | undefined;
    await database().transaction(async ({ orm }) => {
      await orm
        .update(webhookDeliveries)
        .set({ parkedAt: new Date() })
        .where(eq(webhookDeliveries.id, first));
      purged = purgeApps(database(), new Date());
      await Promise.race([blockedBackends(), purged]);
    });
    await purged;
    expect(await db.orm.$count(webhookDeliveries, eq(webhookDeliveries.appId, app.id))).toBe(0);
  });

  test.each([-8, 8])("keeps its days of grace where a process's clock is %s days beside", async (days) => {
    const { tenant, workspaceContext: owner } = await makeWorkspace();
    const { db, app } = tenant.ctx;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY });
    onTestFinished(() => void vi.useRealTimers());
    await deleteApp(tenant.ctx);
    const mine = eq(apps.id, app.id);
    const wait = (seconds: number) =>
      db.orm
        .update(apps)
        .set({ deletedAt: later(apps.deletedAt, -seconds) })
        .where(mine);
    const listed = async () => (await listDeletedApps(db, [owner.workspace.id])).length;
    const purge = async () => purgeApps(db, await databaseTime(db));
    await wait((GRACE_DAYS * DAY) / 1_000 - 60);
    expect([await listed(), await purge()]).toEqual([1, 0]);
    await restoreApp(owner, app.id);
    await deleteApp(tenant.ctx);
    await wait((GRACE_DAYS * DAY) / 1_000);
    expect([await listed(), await purge()]).toEqual([0, 0]);
    await expect(restoreApp(owner, app.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await wait(3_600);
    expect(await purge()).toBeGreaterThan(0);
  });

  test("keeps its rows while a restoration at the end of the days of grace is under way", async () => {
    const { tenant, workspaceContext: owner } = await makeWorkspace();
    const { id } = tenant.ctx.app;
    await deleteApp(tenant.ctx);
    const deletedAt = new Date(Date.now() - GRACE_DAYS * DAY + 60_000);
    await database().orm.update(apps).set({ deletedAt }).where(eq(apps.id, id));
    const before = await rowsOfApp(id);
    let purged: Promise<number> | undefined;
    await database().transaction(async (db) => {
      await restoreApp({ ...owner, db }, id);
      purged = purgeApps(database(), new Date(Date.now() + 120_000));
      await Promise.race([blockedBackends(), purged]);
    });
    expect(await purged).toBe(0);
    const changed = { apps: expect.anything(), audit_log: expect.anything() };
    expect(await rowsOfApp(id)).toMatchObject({ ...before, ...changed });
    expect(await database().orm.$count(apps, and(eq(apps.id, id), isNull(apps.deletedAt)))).toBe(1);
  });

  test("records the actor in the audit log", async () => {
    const { tenant } = await referringTenant();
    await deleteApp(tenant.ctx);
    const of = and(eq(auditLog.workspaceId, tenant.ctx.workspace.id), eq(auditLog.action, "app.deleted"));
    expect(await tenant.ctx.db.orm.select().from(auditLog).where(of)).toHaveLength(1);
    expect(await tenant.ctx.db.orm.select().from(apps).where(eq(apps.id, tenant.ctx.app.id))).toHaveLength(1);
  });
});
