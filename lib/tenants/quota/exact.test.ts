import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { quotaUsage, referrals, referrers, workspaces } from "@/lib/platform/db/schema";
import { type ApiReply, clientOf, postToApi } from "@/lib/testing/client";
import { usePassingTime } from "@/lib/testing/clock";
import { inParallel } from "@/lib/testing/parallel";
import { usedBy } from "@/lib/testing/quota";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const remaining = (reply: ApiReply) => Number(reply.headers.get("x-ratelimit-remaining"));
const times = <T>(count: number, work: (index: number) => Promise<T>) => inParallel(count, 64, work);

const pass = usePassingTime();

describe("the Free plan", () => {
  test("lets 1,000 requests pass and refuses the 1,001st, which does nothing", async () => {
    const tenant = await makeTenant({ plan: "free" });
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("ann")).body;
    const replies = await times(999, () => api.referrer("ann"));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    const remainders = replies.map(remaining).sort((a, b) => b - a);
    expect(remainders).toEqual(Array.from({ length: 999 }, (_, index) => 998 - index));

    const refused = [
      await api.referrer("new"),
      await api.redeem("bob", metacode),
      await api.claim("ann"),
      await postToApi("referrer", "{", tenant.key),
      await api.redeem("bob", "test123"),
    ];
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code]).toEqual([429, "RATE_LIMITED"]);
      const wait = Number(headers.get("retry-after"));
      const reset = Number(headers.get("x-ratelimit-reset"));
      expect(headers.get("x-ratelimit-limit")).toBe("1000");
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
      expect(Math.abs(reset - Date.now() / 1000 - wait)).toBeLessThan(30);
      expect(new Date(reset * 1000).toISOString()).toMatch(/-01T00:00:00.000Z$/);
    }
    const { orm } = tenant.ctx.db;
    const uids = await orm.select().from(referrers).where(eq(referrers.appId, tenant.ctx.app.id));
    expect(uids.map(({ uid }) => uid)).toEqual(["ann"]);
    expect(await orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id))).toEqual([]);
    expect(await usedBy(tenant)).toBe(1_000);
  });

  test("is exact with 64 requests in parallel at its end", async () => {
    const tenant = await makeTenant({ plan: "free", quota: 40 });
    const replies = await times(64, (index) => clientOf(tenant.key).referrer(`u${index}`));
    const passed = replies.filter(({ status }) => status === 200);
    // Each response shows the rest after its own request, although it creates a referrer while others are counted.
    expect(passed.map(remaining).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 40 }, (_, left) => left),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(24);
    const made = await tenant.ctx.db.orm
      .select()
      .from(referrers)
      .where(eq(referrers.appId, tenant.ctx.app.id));
    expect(made).toHaveLength(40);
  });

  test("begins again with the month", async () => {
    const tenant = await makeTenant({ plan: "free", quota: 2 });
    const api = clientOf(tenant.key);
    await times(2, () => api.referrer("ann"));
    expect((await api.referrer("ann")).status).toBe(429);
    await tenant.ctx.db.orm
      .update(quotaUsage)
      .set({ month: "2020-01-01" })
      .where(eq(quotaUsage.workspaceId, tenant.ctx.workspace.id));
    const reply = await api.referrer("ann");
    expect([reply.status, remaining(reply)]).toEqual([200, 1]);
  });

  test("takes effect when it is raised, within the 5 seconds that a key is remembered", async () => {
    const tenant = await makeTenant({ plan: "free", quota: 2 });
    const api = clientOf(tenant.key);
    await times(2, () => api.referrer("ann"));
    expect((await api.referrer("ann")).status).toBe(429);
    await tenant.ctx.db.orm
      .update(workspaces)
      .set({ plan: "basic", quotaOverride: null })
      .where(eq(workspaces.id, tenant.ctx.workspace.id));
    pass(5_001);
    const reply = await api.referrer("ann");
    expect([reply.status, reply.headers.get("x-ratelimit-limit")]).toEqual([200, "10000"]);
  });
});
