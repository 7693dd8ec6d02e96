import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ReleaseRedemption } from "@/components/referral/by-hand-actions";
import { PHONE_SCOPES } from "@/lib/contract/api-key";
import { apps, campaigns, refereesInLine, referrers } from "@/lib/platform/db/schema";
import { getReferral } from "@/lib/program/referrals/get";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch, type Tenant } from "@/lib/testing/tenant";
import { findInvitation } from "@/lib/web/landing/find-invitation";

useService();

const setCampaign = ({ ctx }: Tenant, values: Partial<typeof campaigns.$inferInsert>) =>
  ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.appId, ctx.app.id));
const setReferrer = ({ ctx }: Tenant, status: "paused" | "ended") =>
  ctx.db.orm.update(referrers).set({ status }).where(eq(referrers.appId, ctx.app.id));

const PAST = new Date(Date.now() - 60_000);

/** Events between a redeem and its retry, each with the retry's error. */
const CLOSINGS: [string, (tenant: Tenant) => Promise<unknown>, number, string][] = [
  [
    "its campaign was paused",
    (tenant) => setCampaign(tenant, { status: "paused" }),
    409,
    "CAMPAIGN_INACTIVE",
  ],
  ["its campaign was ended", (tenant) => setCampaign(tenant, { status: "ended" }), 409, "CAMPAIGN_INACTIVE"],
  [
    "its campaign's end has passed",
    (tenant) => setCampaign(tenant, { endsAt: PAST }),
    409,
    "CAMPAIGN_INACTIVE",
  ],
  ["the referrer was paused", (tenant) => setReferrer(tenant, "paused"), 404, "METACODE_NOT_FOUND"],
  ["the referrer was ended", (tenant) => setReferrer(tenant, "ended"), 404, "METACODE_NOT_FOUND"],
];

describe.each(CLOSINGS)("a retry of one's own redemption after %s", (_, close, status, code) => {
  test("is refused, and carries the first answer", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const first = await api.redeem("bob", metacode);
    await close(tenant);
    const again = await api.redeem("bob", metacode);
    expect([again.status, again.body.error.code]).toEqual([status, code]);
    expect(again.body.redemption).toEqual(first.body);
    expect(await assignedCodes(tenant)).toHaveLength(1);
  });

  test("carries nothing for another referee or platform, after the window, and once confirmed", async () => {
    const { tenant, api, metacode } = await referringTenant();
    for (const uid of ["bob", "cid"]) await api.redeem(uid, metacode);
    await applyEvent(tenant.ctx, "cid");
    await close(tenant);
    const replies = [
      await api.redeem("dan", metacode),
      await api.redeem("bob", metacode, "android"),
      await api.redeem("cid", metacode),
    ];
    await tenant.ctx.db.orm.update(apps).set({ retryWindowHours: 0 }).where(eq(apps.id, tenant.ctx.app.id));
    replies.push(await api.redeem("bob", metacode));
    for (const { status: seen, body } of replies)
      expect([seen, body.error.code, body.redemption]).toEqual([status, code, undefined]);
  });
});

describe("a retry after another campaign has followed", () => {
  test("gets a code of that one, because each campaign assigns one", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const first = await api.redeem("bob", metacode);
    await setCampaign(tenant, { status: "ended" });
    await copyCampaign(tenant);
    const again = await api.redeem("bob", metacode);
    expect(again.status).toBe(200);
    expect(again.body.code).not.toBe(first.body.code);
    expect((await api.redeem("bob", metacode)).body.redemption).toEqual(again.body);
  });

  test("gets the first answer and a place in line where that one has no code", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 1 });
    const first = await api.redeem("bob", metacode);
    await setCampaign(tenant, { status: "ended" });
    await copyCampaign(tenant);
    const retry = () => api.redeem("bob", metacode, "ios", {}, { "idempotency-key": "bob" });
    const again = await retry();
    expect([again.status, again.body.error.code]).toEqual([503, "NO_CODES_AVAILABLE"]);
    expect(again.body.redemption).toEqual(first.body);
    expect(await tenant.ctx.db.orm.$count(refereesInLine, eq(refereesInLine.appId, tenant.ctx.app.id))).toBe(
      1,
    );
    expect((await api.redeem("cid", metacode)).body.redemption).toBeUndefined();
    await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    expect((await retry()).status).toBe(200);
  });
});

describe("a retry that the next campaign refuses gets the first answer", () => {
  /** A tenant whose referee bob has a code of an ended campaign, and which refuses new ones in the next. */
  async function refusing(app: Partial<typeof apps.$inferInsert>) {
    const { tenant, api, metacode } = await referringTenant();
    const { body: first } = await api.redeem("bob", metacode);
    await setCampaign(tenant, { status: "ended" });
    await copyCampaign(tenant);
    await tenant.ctx.db.orm.update(apps).set(app).where(eq(apps.id, tenant.ctx.app.id));
    return { tenant, api, metacode, first };
  }

  test.each([
    [409, "CONFLICT", false],
    [503, "NO_CODES_AVAILABLE", true],
  ])("beyond the referrer's cap, %i %s", async (status, code, reviewsBeyondCaps) => {
    const { api, metacode, first } = await refusing({ referrerDailyCap: 1, reviewsBeyondCaps });
    for (const headers of [{}, { "idempotency-key": "bob" }, { "idempotency-key": "bob" }]) {
      const again = await api.redeem("bob", metacode, "ios", {}, headers);
      expect([again.status, again.body.error.code, again.body.redemption]).toEqual([status, code, first]);
    }
    const other = await api.redeem("cid", metacode);
    expect([other.status, other.body.redemption]).toEqual([status, undefined]);
  });

  test("where it refuses reciprocal referrals", async () => {
    const { tenant, api, metacode, first } = await refusing({ reviewsBeyondCaps: false });
    await api.redeem("ann", (await api.referrer("bob")).body.metacode);
    await setCampaign(tenant, { refuseReciprocal: true });
    const again = await api.redeem("bob", metacode);
    expect([again.status, again.body.error.code, again.body.redemption]).toEqual([409, "CONFLICT", first]);
  });

  test("beyond the cap of the address, 429 RATE_LIMITED", async () => {
    const { tenant, metacode, first } = await refusing({ reviewsBeyondCaps: false });
    const key = { dailyBudget: null, addressCap: 1 };
    const phone = clientOf((await insertKey(tenant.ctx, "Phone app", PHONE_SCOPES, key)).key);
    expect((await phone.redeem("cid", metacode)).status).toBe(200);
    const again = await phone.redeem("bob", metacode);
    expect([again.status, again.body.error.code, again.body.redemption]).toEqual([
      429,
      "RATE_LIMITED",
      first,
    ]);
    expect((await phone.redeem("dan", metacode)).body.redemption).toBeUndefined();
  });
});

test("a retry that finds its referrer paused does not count as a guess", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await api.redeem("bob", metacode);
  await setReferrer(tenant, "paused");
  for (let n = 0; n < 70; n++) expect((await api.redeem("bob", metacode)).body.redemption).toBeDefined();
});

test("a referrer's former metacodes redeem like the current one, in its app only", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const other = await referringTenant();
  const { referrer_id: id } = (await api.referrer("ann")).body;
  await updateMetacode(tenant.ctx, id, `${metacode}x`);
  await updateMetacode(tenant.ctx, id, `${metacode}y`);
  for (const [uid, typed] of [
    ["bob", metacode],
    ["cid", `${metacode}X`],
    ["dan", `${metacode}y`],
  ] as const) {
    const reply = await api.redeem(uid, typed);
    expect(reply.status).toBe(200);
    expect((await api.redeem(uid, metacode)).body.redemption).toEqual(reply.body);
  }
  expect((await api.redeem("ann", metacode)).body.error.code).toBe("CONFLICT");
  expect((await other.api.redeem("eve", metacode)).status).toBe(404);
  expect((await clientOf(tenant.key).referrer("ann")).body.metacode).toBe(`${metacode}y`);
  await setReferrer(tenant, "paused");
  expect((await api.redeem("fay", metacode)).body.error.code).toBe("METACODE_NOT_FOUND");
});

test("a link with an earlier metacode opens the page of the current one", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  await updateMetacode(tenant.ctx, referrerId, `${metacode}z`);
  expect(await findInvitation(metacode)).toMatchObject({ referrerId, metacode: `${metacode}z` });
});

test("the dialog to release a redemption says whether its user can redeem again, and with whose metacode", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("bob", metacode);
  const appId = ctx.app.id;
  const referralId = await referralIdOf(ctx, "bob");
  const shown = async () => {
    const { again } = await getReferral(ctx, referralId);
    const dialog = ReleaseRedemption({ action: async () => ({}), appId, referralId, again });
    return renderToStaticMarkup(createElement("div", null, dialog.props.description));
  };
  expect(await shown()).toContain("removed. This user may redeem again.");
  await setReferrer(tenant, "ended");
  expect(await shown()).toContain("has ended: the user needs the metacode of another friend");
  await setCampaign(tenant, { status: "paused" });
  expect(await shown()).toContain("once the campaign is resumed");
  await setCampaign(tenant, { status: "active", endsAt: new Date(Date.now() - 1_000) });
  expect(await shown()).toContain("cannot redeem again: the campaign has ended");
  await setCampaign(tenant, { status: "ended", endsAt: null });
  expect(await shown()).toContain("cannot redeem again: the campaign has ended");
  await copyCampaign(tenant);
  expect(await shown()).toContain("This user may redeem again.");
  const { metacode: other } = (await api.referrer("eve")).body;
  expect((await api.redeem("bob", other)).status).toBe(200);
  expect(await shown()).toContain("removed. This user cannot redeem again: they have a code of the campaign");
});
