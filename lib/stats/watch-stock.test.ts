import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import type { Context } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { mails, memberships, pools, users } from "@/lib/db/schema";
import { watchStock } from "@/lib/stats/watch-stock";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, makeTenant } from "@/lib/testing/tenant";

useService();

async function addPerson(ctx: Context, role: Role, verified = true): Promise<string> {
  const id = uuidv7();
  const email = `${role}-${id}@example.com`;
  await ctx.db.orm
    .insert(users)
    .values({ id, email, name: role, emailVerifiedAt: verified ? new Date() : null });
  await ctx.db.orm.insert(memberships).values({ workspaceId: ctx.workspace.id, userId: id, role });
  return email;
}

async function told(ctx: Context): Promise<{ events: unknown[]; letters: string[] }> {
  const { rows } = await ctx.db.orm.execute<{ payload: unknown }>(
    sql`select payload from outbox where app_id = ${ctx.app.id} and type = 'pool.low' order by id`,
  );
  const letters = await ctx.db.orm
    .select({ to: mails.recipient })
    .from(mails)
    .where(sql`${mails.text} like ${`%${ctx.app.id}%`}`);
  return { events: rows.map(({ payload }) => payload), letters: letters.map(({ to }) => to).sort() };
}

/** An app whose pools are watched from five codes on; its iOS referee pool has 7. */
async function watched(alertTo: string[] = []) {
  const tenant = await makeTenant({ codes: 7, threshold: 100 });
  await database().orm.update(pools).set({ lowStock: 5, alertTo }).where(eq(pools.appId, tenant.ctx.app.id));
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  return { ...tenant, give: (count: number) => refer(tenant, metacode, count) };
}

test("owners and admins are told once when the line is crossed, whoever looks and however often", async () => {
  const { ctx, pools: made, give } = await watched();
  const people = [await addPerson(ctx, "owner"), await addPerson(ctx, "admin")];
  await addPerson(ctx, "member");
  await addPerson(ctx, "owner", false);
  await give(1);
  await watchStock(ctx);
  expect(await told(ctx)).toEqual({ events: [], letters: [] });
  await give(1);
  await Promise.all(Array.from({ length: 6 }, () => watchStock(ctx)));
  await give(1);
  await watchStock(ctx);
  expect(await told(ctx)).toEqual({
    events: [
      {
        ...{ pool_id: made.ios.referee, name: "ios referee", platform: "ios" },
        ...{ use: "referee", free: 5, low_stock: 5 },
      },
    ],
    letters: people.sort(),
  });
});

test("a mailbox hears of an app's stock five times a day at most, however often a pool crosses the line", async () => {
  const { ctx, pools: made, give } = await watched(["stranger@example.com"]);
  await give(2);
  const line = async (lowStock: number) => {
    await ctx.db.orm.update(pools).set({ lowStock }).where(eq(pools.id, made.ios.referee));
    await watchStock(ctx);
  };
  for (let time = 0; time < 8; time++) {
    await line(5);
    await line(0);
  }
  const { events, letters } = await told(ctx);
  expect([events.length, letters.length]).toEqual([8, 5]);
});

test("a refilled pool is told of again when it runs low again", async () => {
  const { ctx, pools: made, give } = await watched(["codes@example.com"]);
  await give(2);
  await watchStock(ctx);
  await makeBatch(ctx, made.ios.referee, "ios", { size: 1 });
  await watchStock(ctx);
  await give(1);
  await watchStock(ctx);
  const { events, letters } = await told(ctx);
  expect(events).toHaveLength(2);
  expect(letters).toEqual(["codes@example.com", "codes@example.com"]);
});

test("a new pool without codes is not low, one whose codes are all gone or expired is", async () => {
  const { ctx } = await watched(["codes@example.com"]);
  await makePool(ctx, "ios", "reward", 0);
  await watchStock(ctx);
  expect((await told(ctx)).letters).toEqual([]);
  const expired = await makePool(ctx, "ios", "reward", 0);
  await makeBatch(ctx, expired, "ios", { size: 60, expiresAt: new Date(Date.now() - 1_000) });
  await watchStock(ctx);
  expect((await told(ctx)).events).toMatchObject([{ pool_id: expired, free: 0 }]);
});

test("without its letter there is no event either", async () => {
  const { ctx, give } = await watched(["codes@example.com"]);
  await give(3);
  const orm = { ...ctx.db, transaction: refuseLetters(ctx) };
  await expect(watchStock({ ...ctx, db: orm })).rejects.toThrow("no letters today");
  expect(await told(ctx)).toEqual({ events: [], letters: [] });
  const [pool] = await ctx.db.orm
    .select()
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), sql`low_since is not null`));
  expect(pool).toBeUndefined();
});

/** A database whose transactions fail after everything was written. */
function refuseLetters(ctx: Context): Context["db"]["transaction"] {
  return (work) =>
    ctx.db.transaction(async (db) => {
      await work(db);
      throw new Error("no letters today");
    });
}
