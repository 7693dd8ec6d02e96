import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { refereesInLine } from "@/lib/platform/db/schema";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces } from "@/lib/program/line/line";
import { stockOf } from "@/lib/program/stats/stock";
import { copyCampaign } from "@/lib/testing/campaigns";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";

useService();

/** Referees in line for an empty pool, in the order of `uids`. */
async function lineOf(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  const upload = (size: number) =>
    importCodes(ctx, { poolId, kind: "one_time", source: randomCodeFile("ios", size) });
  const line = async () => {
    const own = eq(refereesInLine.appId, ctx.app.id);
    const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
    return rows.map(({ refereeUid }) => refereeUid);
  };
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  return { tenant, ctx, poolId, redeem, upload, line };
}

test("a person is in line once with both of their IDs, in the first place, and has the code with the one that asks", async () => {
  const { ctx, redeem, upload, line } = await lineOf("ann-old", "ben-old");
  const join = (uid: string, otherUid: string) =>
    joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
  await join("ann-old", "ann-new");
  expect(await redeem("ann-new")).toBe(503);
  expect(await line()).toEqual(["ann-new", "ben-old"]);
  expect(await redeem("ben-new")).toBe(503);
  await join("ben-new", "ben-old");
  expect(await line()).toEqual(["ann-new", "ben-old"]);
  expect(await upload(2)).toMatchObject({ setAside: 2 });
  // The code that is set aside moves too; the next redeem finds it.
  expect(await redeem("ben-new")).toBe(503);
  expect(await line()).toEqual(["ann-new", "ben-new"]);
  for (const uid of ["ann-new", "ben-new"]) expect(await redeem(uid)).toBe(200);
});

test("no referee waits for a campaign that has ended, and codes that were set aside are free for another one", async () => {
  const { tenant, ctx, poolId, redeem, upload, line } = await lineOf("ann", "ben", "cem");
  await upload(1);
  const inLine = async () => (await stockOf(ctx)).find(({ id }) => id === poolId)?.inLine;
  expect(await inLine()).toBe(2);
  await endCampaign(ctx, tenant.campaignId);
  expect(await inLine()).toBe(0);
  await endPlaces(ctx);
  expect(await line()).toEqual([]);
  await copyCampaign(tenant);
  expect(await redeem("cem")).toBe(200);
});
