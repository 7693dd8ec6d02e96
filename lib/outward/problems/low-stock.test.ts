import { and, eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AlertKind } from "@/lib/contract/problems";
import { watchApp } from "@/lib/outward/problems/watch";
import { database } from "@/lib/platform/db/client";
import { pools, users } from "@/lib/platform/db/schema";
import { limits } from "@/lib/platform/limits/limits";
import type { Context } from "@/lib/tenants/context";
import { addMember } from "@/lib/tenants/workspaces/members";
import { alertKinds, emailsAbout, setPool } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool } from "@/lib/testing/tenant";
import { type Chat, startChat, watchedPool } from "@/lib/testing/webhooks/chat";
import { joinAs, makeAccount } from "@/lib/testing/workspace";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8", APP_URL: "https://metacode.example" });

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const watched = (kinds?: AlertKind[]) => watchedPool(chat, kinds);

async function lowEvents(ctx: Context): Promise<unknown[]> {
  const { rows } = await ctx.db.orm.execute<{ payload: unknown }>(
    sql`select payload from outbox where app_id = ${ctx.app.id} and type = 'pool.low' order by id`,
  );
  return rows.map(({ payload }) => payload);
}

describe("low stock", () => {
  /** An app whose pools are low at five codes; its iOS referee pool has 7. */
  async function lowAtFive(alertTo: string[] = []) {
    const { tenant, assignCodes } = await watched();
    await database()
      .orm.update(pools)
      .set({ lowStock: 5, alertTo })
      .where(eq(pools.appId, tenant.ctx.app.id));
    return { ...tenant, assignCodes };
  }

  const recipients = async (ctx: Context) =>
    (await emailsAbout(ctx)).map(({ recipient }) => recipient).sort();

  test("emits one event and emails owners and admins once when the threshold is crossed", async () => {
    const { ctx, pools: made, assignCodes } = await lowAtFive();
    const team = await Promise.all(
      (["owner", "admin", "member"] as const).map((role) => joinAs(ctx.workspace.id, role)),
    );
    const unverified = await joinAs(ctx.workspace.id, "owner");
    await ctx.db.orm.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, unverified.actor.id));
    await assignCodes(1);
    await watchApp(ctx);
    expect([await lowEvents(ctx), await recipients(ctx)]).toEqual([[], []]);
    await assignCodes(1);
    await Promise.all(Array.from({ length: 6 }, () => watchApp(ctx)));
    await assignCodes(1);
    await watchApp(ctx);
    expect(await lowEvents(ctx)).toEqual([
      {
        pool_id: made.ios.referee,
        name: "ios referee",
        platform: "ios",
        use: "referee",
        free: 5,
        low_stock: 5,
      },
    ]);
    const notified = await recipients(ctx);
    expect(notified).toHaveLength(2);
    for (const { actor, role } of team) {
      expect(notified.some((email) => email.startsWith(actor.id))).toBe(role !== "member");
    }
  });

  test("emails a mailbox five times a day at most, however often the pool crosses the threshold", async () => {
    const { ctx, pools: made, assignCodes } = await lowAtFive(["stranger@example.com"]);
    await assignCodes(2);
    const cross = async (lowStock: number) => {
      await setPool(ctx, made.ios.referee, { lowStock });
      await watchApp(ctx);
    };
    for (let time = 0; time < 8; time++) {
      await cross(5);
      await cross(0);
    }
    expect([(await lowEvents(ctx)).length, (await recipients(ctx)).length]).toEqual([8, 5]);
  });

  test("emails a mailbox about every pool, whichever number of them is low on one day", async () => {
    const { ctx } = await lowAtFive(["codes@example.com"]);
    for (let pool = 0; pool < 6; pool++) {
      await setPool(ctx, await makePool(ctx, "ios", "reward", 1), {
        lowStock: 5,
        alertTo: ["codes@example.com"],
      });
    }
    await watchApp(ctx);
    expect(await recipients(ctx)).toHaveLength(6);
  });

  test("sends a mailbox that belongs to no member 50 emails a day about all apps of the workspace, and 50 more about critical problems", async () => {
    const { ctx, pools: made, assignCodes } = await lowAtFive();
    const member = await makeAccount();
    await addMember(ctx.db, { workspaceId: ctx.workspace.id, userId: member.id, role: "viewer" });
    const [stranger, sparse] = [(await makeAccount()).email, (await makeAccount()).email];
    const mailboxes = [member.email, stranger, sparse];
    await setPool(ctx, made.ios.referee, { lowStock: 9, alertTo: mailboxes });
    const exhaust = async (to: string, within: string) => {
      for (let problem = 0; problem < 50; problem++)
        await limits().problemEmail("another app", `${within} ${problem}`, to, within);
    };
    for (const to of mailboxes) await exhaust(to, ctx.workspace.id);
    for (const to of [member.email, stranger]) await exhaust(to, `${ctx.workspace.id} critical`);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual([member.email]);
    await assignCodes(7);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual([member.email, member.email, sparse].sort());
  });

  test("names the app and the pool in the subject of a member alone; every other mailbox reads them in the text", async () => {
    const { ctx, assignCodes } = await lowAtFive(["stranger@example.com"]);
    await joinAs(ctx.workspace.id, "owner");
    await assignCodes(7);
    await watchApp(ctx);
    const title = "Fitness: The pool “ios referee” is empty";
    const [stranger, owner] = await emailsAbout(ctx);
    expect(stranger).toMatchObject({
      recipient: "stranger@example.com",
      subject: "Critical alert: Pool low or empty",
      text: expect.stringContaining(`${title}\n\n`),
    });
    expect(owner?.subject).toBe(title);
    expect(owner?.text).not.toContain(title);
  });

  test("emails an owner about a critical problem on a day that warnings have used up", async () => {
    const { ctx, assignCodes } = await lowAtFive();
    const owner = await makeAccount();
    await addMember(ctx.db, { workspaceId: ctx.workspace.id, userId: owner.id, role: "owner" });
    for (let problem = 0; problem < 50; problem++)
      await limits().problemEmail(ctx.app.id, `${problem}`, owner.email);
    await assignCodes(2);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual([]);
    await assignCodes(5);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual([owner.email]);
  });

  test("emails a pool's own recipients alone, and the owners too once it is empty", async () => {
    const { ctx, assignCodes } = await lowAtFive(["codes@example.com"]);
    const owner = await makeAccount();
    await addMember(ctx.db, { workspaceId: ctx.workspace.id, userId: owner.id, role: "owner" });
    await assignCodes(2);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual(["codes@example.com"]);
    await assignCodes(5);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual(["codes@example.com", "codes@example.com", owner.email].sort());
  });

  test("is notified again when a refilled pool is low again", async () => {
    const { ctx, pools: made, assignCodes } = await lowAtFive(["codes@example.com"]);
    await assignCodes(2);
    await watchApp(ctx);
    await makeBatch(ctx, made.ios.referee, "ios", { size: 1 });
    await watchApp(ctx);
    await assignCodes(1);
    await watchApp(ctx);
    expect(await lowEvents(ctx)).toHaveLength(2);
    expect(await recipients(ctx)).toEqual(["codes@example.com", "codes@example.com"]);
  });

  test("is not that of a new pool without codes, but that of a pool whose codes are all gone or expired", async () => {
    const { ctx } = await lowAtFive(["codes@example.com"]);
    await makePool(ctx, "ios", "reward", 0);
    await watchApp(ctx);
    expect(await recipients(ctx)).toEqual([]);
    const expired = await makePool(ctx, "ios", "reward", 0);
    await makeBatch(ctx, expired, "ios", { size: 60, expiresAt: new Date(Date.now() - 1_000) });
    await watchApp(ctx);
    expect(await lowEvents(ctx)).toMatchObject([{ pool_id: expired, free: 0 }]);
  });

  test("leaves no event, email or alert if a transaction fails", async () => {
    const { ctx, assignCodes } = await lowAtFive(["codes@example.com"]);
    await assignCodes(3);
    const failing: Context["db"]["transaction"] = (work) =>
      ctx.db.transaction(async (db) => {
        await work(db);
        throw new Error("rolled back");
      });
    await expect(watchApp({ ...ctx, db: { ...ctx.db, transaction: failing } })).rejects.toThrow(
      "rolled back",
    );
    expect([await lowEvents(ctx), await recipients(ctx), await alertKinds(ctx)]).toEqual([[], [], []]);
    const low = await ctx.db.orm
      .select()
      .from(pools)
      .where(and(eq(pools.appId, ctx.app.id), isNotNull(pools.lowSince)));
    expect(low).toEqual([]);
  });
});
