import { uuidv7 } from "uuidv7";
import { beforeAll, describe, expect, test } from "vitest";
import { referralQuery } from "@/lib/contract/referral-list";
import { clicks, referrals } from "@/lib/platform/db/schema";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { clientOf } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { listReferrals } from "./list";

useService();

const DAY = 86_400_000;
let tenant: Tenant;
let ann: { referrer_id: string; metacode: string };

const list = (query: Record<string, string> = {}, size?: number) =>
  listReferrals(tenant.ctx, referralQuery.parse(query), size);
const uids = async (query: Record<string, string>) =>
  (await list(query)).data.map(({ refereeUid }) => refereeUid);

beforeAll(async () => {
  tenant = await makeTenant();
  const api = clientOf(tenant.key);
  ann = (await api.referrer("ann", { name: "Ann" })).body;
  const bob = (await api.referrer("bob")).body;
  await api.redeem("guest-1", ann.metacode);
  await api.redeem("guest-2", ann.metacode, "android");
  await api.redeem("guest-3", bob.metacode);
  // A click's id is as old as its day, yet its referral is the newest.
  const click = { id: "01900000-0000-7000-8000-000000000001", referrerId: bob.referrer_id };
  await tenant.ctx.db.orm
    .insert(clicks)
    .values({ appId: tenant.ctx.app.id, ...click, visitor: Buffer.from("b") });
  await api.redeem("other", bob.metacode, "ios", { click_id: click.id });
  await applyEvent(tenant.ctx, "guest-2");
  await applyEvent(tenant.ctx, "guest-3");
  await applyEvent(tenant.ctx, "guest-3", "reverse");
  const { ctx, campaignId } = tenant;
  await ctx.db.orm.insert(referrals).values({
    appId: ctx.app.id,
    campaignId,
    refereeUid: "long-ago",
    id: uuidv7(),
    referrerId: ann.referrer_id,
    platform: "ios",
    createdAt: new Date(Date.now() - 20 * DAY),
  });
  await ctx.db.orm.insert(clicks).values({
    appId: ctx.app.id,
    id: uuidv7(),
    referrerId: ann.referrer_id,
    visitor: Buffer.from("v"),
  });
  const other = await makeTenant();
  const { metacode } = (await clientOf(other.key).referrer("ann")).body;
  await clientOf(other.key).redeem("guest-elsewhere", metacode);
});

describe("the list of referrals", () => {
  test("is in order of time, page by page, and knows only this app", async () => {
    const seen: (string | null)[] = [];
    let cursor: string | null = "";
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ cursor }, 2);
      seen.push(...page.data.map(({ refereeUid }) => refereeUid));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(["other", "guest-3", "guest-2", "guest-1", "long-ago"]);
  });

  test("begins at the start for a cursor with a time that does not exist", async () => {
    for (const time of ["2026-02-30 00:00:00+00", "2026-01-01 25:00:00+00", "2026-01-01 00:00:00+99"]) {
      const cursor = Buffer.from(JSON.stringify([time, ann.referrer_id])).toString("base64url");
      expect((await list({ cursor }, 1)).data[0]?.refereeUid).toBe("other");
    }
  });

  test("names the referrer, the campaign, the status, and the end of the code", async () => {
    const [row] = (await list({ q: "guest-2" })).data;
    expect(row).toMatchObject({ status: "redeemed", platform: "android", campaign: "Launch" });
    expect(row?.referrer).toEqual({ id: ann.referrer_id, name: "Ann", metacode: ann.metacode });
    expect(row?.code).toMatch(/^••••\w{4}$/);
    expect(row?.confirmedAt).toBeInstanceOf(Date);
  });

  test.each<[Record<string, string>, (string | null)[]]>([
    [{ q: "guest-" }, ["guest-1", "guest-2", "guest-3"]],
    [{ q: "uest-" }, []],
    [{ q: "guest-", status: "redeemed" }, ["guest-2"]],
    [{ q: "guest-", period: "custom", to: "2020-01-01" }, []],
    [{ status: "code_assigned" }, ["other", "guest-1", "long-ago"]],
    [{ status: "reversed" }, ["guest-3"]],
    [{ platform: "android" }, ["guest-2"]],
    [{ period: "7d", status: "code_assigned" }, ["other", "guest-1"]],
    [{ period: "custom", to: "2020-01-01" }, []],
    [{ campaign: "01900000-0000-7000-8000-000000000000" }, []],
    [{ status: "clicked" }, [null]],
    [{ status: "clicked", q: "guest" }, []],
    [{ status: "clicked", platform: "ios" }, []],
    [{ status: "clicked", campaign: "01900000-0000-7000-8000-000000000000" }, []],
  ])("is narrowed by %j", async (query, found) => {
    expect(await uids(query)).toEqual(found);
  });

  test("is narrowed to a referrer, by its id or by its metacode as it is typed", async () => {
    const hers = ["guest-2", "guest-1", "long-ago"];
    expect(await uids({ referrer: ann.referrer_id })).toEqual(hers);
    expect(await uids({ q: ` ${ann.metacode.toUpperCase()}` })).toEqual(hers);
    expect(await uids({ q: `https://links.example.com/r/${ann.metacode}?s=1` })).toEqual(hers);
    expect(await uids({ q: ann.metacode, platform: "ios" })).toEqual(["guest-1", "long-ago"]);
    expect((await list({ q: ann.metacode, status: "clicked" })).data).toHaveLength(1);
    expect(await uids({ status: "clicked", campaign: tenant.campaignId })).toEqual([null]);
  });
});

test("the search stays within the chosen referrer, and knows former metacodes", async () => {
  const { tenant: own, api, metacode } = await referringTenant();
  const found = async (query: object) =>
    (await listReferrals(own.ctx, referralQuery.parse(query))).data.map(({ refereeUid }) => refereeUid);
  const { referrer_id: referrer } = (await api.referrer("ann")).body;
  const { metacode: other } = (await api.referrer("bob")).body;
  await updateMetacode(own.ctx, referrer, `new${metacode}`);
  for (const uid of ["eve", "kim"]) await api.redeem(uid, metacode);
  expect(await found({ referrer, q: "eve" })).toEqual(["eve"]);
  expect(await found({ referrer, q: other })).toEqual([]);
  expect(await found({ referrer, q: metacode })).toEqual(["kim", "eve"]);
});
