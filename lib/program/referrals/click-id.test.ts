import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { codes, referrals, rewards } from "@/lib/platform/db/schema";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const eventOf = async ({ ctx }: Tenant, refereeUid: string) => {
  const [row] = await ctx.db.orm
    .select()
    .from(referrals)
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, refereeUid)));
  return row;
};

async function storeClick({ ctx }: Tenant, referrerId: string): Promise<string> {
  const id = uuidv7();
  await ctx.db.call(STORE_CLICKS, {
    app: ctx.app.id,
    ids: [id],
    referrers: [referrerId],
    visitors: [Buffer.from(id)],
    times: [new Date()],
  });
  return id;
}

test.each([
  ["empty", ""],
  ["null", null],
  ["no UUID", "abc"],
  ["half a UUID", "0192f0c1-7a10-7c3e"],
  ["a number", 7],
  ["a list", ["0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c01"]],
  ["an object", {}],
  ["a NUL", "\u0000"],
  ["a lone surrogate", "\ud800"],
  ["the nil UUID", "00000000-0000-0000-0000-000000000000"],
  ["the highest UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ["the id of no click", "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c01"],
])(
  "a click id that is %s is ignored: the code is assigned, the event has an id of its own",
  async (_, clickId) => {
    const { tenant, api, metacode } = await referringTenant();
    expect((await api.redeem("bob", metacode, "ios", { click_id: clickId })).status).toBe(200);
    const event = await eventOf(tenant, "bob");
    expect(event).toMatchObject({ status: "code_assigned", clickedAt: null });
    expect(event?.id).not.toBe(clickId);
  },
);

test("a click id in upper case is that click", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const click = await storeClick(tenant, (await api.referrer("ann")).body.referrer_id);
  await api.redeem("bob", metacode, "ios", { click_id: click.toUpperCase() });
  expect(await eventOf(tenant, "bob")).toMatchObject({ id: click, clickedAt: expect.any(Date) });
});

test("a click of another referrer, and one that another referee continued, are ignored", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { metacode: other, referrer_id: eve } = (await api.referrer("eve")).body;
  const click = await storeClick(tenant, eve);
  expect((await api.redeem("bob", metacode, "ios", { click_id: click })).status).toBe(200);
  expect((await eventOf(tenant, "bob"))?.id).not.toBe(click);
  for (const uid of ["cid", "dan"])
    expect((await api.redeem(uid, other, "ios", { click_id: click })).status).toBe(200);
  expect((await eventOf(tenant, "cid"))?.id).toBe(click);
  expect(await eventOf(tenant, "dan")).toMatchObject({
    id: expect.not.stringMatching(click),
    clickedAt: null,
  });
});

test("the ids of rewards, referrals, referrers and campaigns are ignored, and break no claim", async () => {
  const tenant = await makeTenant({ threshold: 1, codes: 20 });
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  const [friend = ""] = await refer(tenant, metacode, 1);
  const claimed = (await api.claim("ann")).body.claimed_rewards[0].reward_id;
  await refer(tenant, metacode, 1);
  const [earned] = await tenant.ctx.db.orm
    .select()
    .from(rewards)
    .where(and(eq(rewards.appId, tenant.ctx.app.id), eq(rewards.status, "earned")));
  const referral = (await eventOf(tenant, friend))?.id;
  const foreign = [claimed, earned?.id, referral, referrer_id, tenant.campaignId];
  for (const [index, clickId] of foreign.entries()) {
    expect((await api.redeem(`guest ${index}`, metacode, "ios", { click_id: clickId })).status).toBe(200);
    expect((await eventOf(tenant, `guest ${index}`))?.id).not.toBe(clickId);
  }
  const reply = await api.claim("ann");
  expect([reply.status, reply.body.claimed_rewards?.[0].reward_id]).toEqual([200, earned?.id]);
  const held = await tenant.ctx.db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, tenant.ctx.app.id), eq(codes.assignmentId, earned?.id ?? "")));
  expect(held).toHaveLength(1);
});
