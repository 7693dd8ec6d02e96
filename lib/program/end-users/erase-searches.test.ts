import { and, eq, isNotNull, like } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { auditLog, batches, codes, offerTakers, rewards } from "@/lib/platform/db/schema";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { updateEndUserNotes } from "@/lib/program/referrers/update";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import { deleteApp, GRACE_DAYS } from "@/lib/tenants/apps/delete";
import { exportAudit } from "@/lib/tenants/audit/export";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { onCluster } from "@/lib/testing/database/cluster";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";
import { makeWorkspace } from "@/lib/testing/workspace";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const UID = "Person-4711@example.com";

/** Exports the audit log of the workspace with each search. */
async function search(ctx: WorkspaceContext, texts: string[], app?: string): Promise<void> {
  for (const q of texts) for await (const _ of await exportAudit(ctx, { q, app }));
}

/** The searches of the exports, oldest first; undefined for one that was removed. */
async function searches({ db, workspace }: WorkspaceContext): Promise<unknown[]> {
  const own = and(eq(auditLog.workspaceId, workspace.id), eq(auditLog.action, "workspace.audit_exported"));
  const rows = await db.orm.select().from(auditLog).where(own).orderBy(auditLog.id);
  return rows.map(({ after }) => after?.q);
}

test("an erasure removes the searches for the person from exports of the workspace's audit log", async () => {
  const { workspaceContext: ctx, tenant } = await makeWorkspace();
  const { workspaceContext: other } = await makeWorkspace();
  await clientOf(tenant.key).referrer(UID, { name: "Paula" });
  const about = [UID.toLowerCase(), "4711@EXAMPLE", `re: ${UID}`, "paula", "Paula P."];
  await search(ctx, [...about, "person-9", "per", "api_key"]);
  await search(other, [UID]);
  await eraseEndUser(tenant.ctx, UID);
  expect(await searches(ctx)).toEqual([...about.map(() => undefined), "person-9", "per", "api_key"]);
  expect(await searches(other)).toEqual([UID]);
});

test("an erasure leaves the entries about the user of another app of the workspace who has the same ID", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const { db, workspace, actor } = workspaceContext;
  const twin = await insertApp(db, workspace.id, { name: "Twin", sandbox: true });
  for (const ctx of [tenant.ctx, systemContext(db, twin)])
    await updateEndUserNotes({ ...ctx, actor }, { uid: UID, notes: "Called us" });
  await eraseEndUser(tenant.ctx, UID);
  const about = await db.orm.select().from(auditLog).where(eq(auditLog.subjectId, UID));
  expect(about.map(({ appId }) => appId)).toEqual([twin.id]);
});

test("the purge of an app removes the searches that may be for its users", async () => {
  const { workspaceContext: ctx, tenant } = await makeWorkspace();
  const { workspaceContext: other } = await makeWorkspace();
  const otherApp = "01900000-0000-7000-8000-000000000001";
  await search(ctx, [UID]);
  await search(ctx, ["eve"], tenant.ctx.app.id);
  await search(ctx, ["bob"], otherApp);
  await search(other, [UID]);
  await deleteApp(tenant.ctx);
  await purgeApps(ctx.db, new Date(Date.now() + (GRACE_DAYS + 1) * DAY_MS));
  expect(await searches(ctx)).toEqual([undefined, undefined, "bob"]);
  expect(await searches(other)).toEqual([UID]);
});

test("a released code of an erased person leaves the offer of their reward's code taken", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 9, offer: "Spring", threshold: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem(UID, metacode, "android");
  await earnRewards(tenant, UID, 1, "android");
  expect((await api.claim(UID)).status).toBe(200);
  const referralId = await referralIdOf(ctx, UID);
  await eraseEndUser(ctx, UID);
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  const own = and(eq(offerTakers.appId, ctx.app.id), like(offerTakers.uid, "erased:%"));
  expect(await ctx.db.orm.$count(offerTakers, own)).toBe(1);
});

describe("an erased person who is back", () => {
  /** Their redemption or claim from before the erasure, of a pool with this offer only. */
  async function back() {
    const { tenant, api, metacode } = await referringTenant({ codes: 3, offer: "Spring" });
    const ctx = asTeamMember(tenant.ctx);
    const earn = () => earnRewards(tenant, UID, 1);
    return { ctx, tenant, api, metacode, earn };
  }

  test.each(["redeems", "claims"])("%s with the offer that a release has freed since", async (step) => {
    const { ctx, api, metacode, earn } = await back();
    await api.redeem(UID, metacode);
    const referralId = await referralIdOf(ctx, UID);
    await eraseEndUser(ctx, UID);
    await earn();
    const request = () => (step === "claims" ? api.claim(UID) : api.redeem(UID, metacode));
    expect((await request()).status).toBe(step === "claims" ? 503 : 409);
    await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
    expect((await request()).status).toBe(200);
    const again = step === "claims" ? await api.redeem(UID, metacode) : await api.claim(UID);
    expect(again.body.error.code).toBe("NO_CODES_AVAILABLE");
  });

  test("claims no code of the offer of which support assigned one in place of theirs since", async () => {
    const { ctx, tenant, api, earn } = await back();
    await earn();
    await api.claim(UID);
    const [reward] = await ctx.db.orm.select().from(rewards).where(eq(rewards.appId, ctx.app.id));
    await eraseEndUser(ctx, UID);
    await earn();
    await makeBatch(ctx, tenant.pools.ios.reward, "ios", { size: 2, offer: "Summer" });
    await replaceCodeOf(ctx, reward?.id ?? "", "Expired");
    expect((await api.claim(UID)).status).toBe(200);
    const assigned = await ctx.db.orm
      .select({ offer: batches.offer })
      .from(codes)
      .innerJoin(batches, and(eq(batches.appId, codes.appId), eq(batches.id, codes.batchId)))
      .where(and(eq(codes.appId, ctx.app.id), isNotNull(codes.assignmentId)))
      .orderBy(codes.assignedAt);
    expect(assigned).toEqual([{ offer: "Summer" }, { offer: "Spring" }]);
  });
});

test.skipIf(onCluster()).each(["audit_log", "erased_people", "referrals"])(
  "a deadlock at %s leaves the erasure whole (a cluster has no triggers)",
  async (table) => {
    const { tenant, api, metacode } = await referringTenant();
    await api.redeem(UID, metacode);
    await updateEndUserNotes(asTeamMember(tenant.ctx), { uid: UID, notes: "Called us" });
    onTestFinished(async () => {
      await database().pool.query("drop function if exists break_off cascade; drop sequence changes");
    });
    await database().pool.query(`
      create sequence changes;
      create function break_off() returns trigger language plpgsql as $$ begin
        if nextval('changes') = 1 then raise exception using errcode = '40P01'; end if; return new; end $$;
      create trigger break_off before insert or update on ${table} for each row execute function break_off()`);
    expect(await eraseEndUser(tenant.ctx, UID)).toEqual({ referrals: 1, referrer: false });
  },
);
