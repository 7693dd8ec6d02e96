import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { appAccent, appIdentity, appRetention, appRules } from "@/lib/contract/app";
import { apps, auditLog, campaigns } from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { createApp } from "@/lib/tenants/apps/create";
import { updateApp } from "@/lib/tenants/apps/update";
import { conflictOf } from "@/lib/tenants/audit/changes";
import type { Context } from "@/lib/tenants/context";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { joinAs, makeWorkspace } from "@/lib/testing/workspace";

useService();

const row = async ({ db, app }: Context) => (await db.orm.select().from(apps).where(eq(apps.id, app.id)))[0];

const entries = ({ db, workspace }: Context) =>
  db.orm.select().from(auditLog).where(eq(auditLog.workspaceId, workspace.id));

describe("settings of an app", () => {
  test.each([
    [false, 30],
    [true, null],
  ])("a new app (sandbox: %s) has a daily cap of %s codes per referrer", async (sandbox, cap) => {
    const { workspaceContext } = await makeWorkspace();
    expect((await createApp(workspaceContext, { name: "New", sandbox })).referrerDailyCap).toBe(cap);
  });

  test("a change is stored, and the audit log records only the differences", async () => {
    const { ctx } = await makeTenant();
    await updateApp(ctx, { name: "Running", retryWindowHours: 24, referrerDailyCap: 5 });
    expect(await row(ctx)).toMatchObject({ name: "Running", referrerDailyCap: 5, retryWindowHours: 24 });
    const [entry, ...more] = await entries(ctx);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "app.changed",
      appId: ctx.app.id,
      before: { name: "Fitness", referrerDailyCap: null },
      after: { name: "Running", referrerDailyCap: 5 },
    });
  });

  test("nothing changed writes nothing", async () => {
    const { ctx } = await makeTenant();
    await updateApp(ctx, { name: "Fitness", androidFingerprints: [] });
    expect(await entries(ctx)).toEqual([]);
  });

  test("a store id stays while a campaign runs there", async () => {
    const { ctx, campaignId } = await makeTenant();
    const clear = (field: "appleAppId" | "androidPackage") => updateApp(ctx, { [field]: null });
    for (const field of ["appleAppId", "androidPackage"] as const) {
      await expect(clear(field)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
    }
    await ctx.db.orm.update(campaigns).set({ status: "ended" }).where(eq(campaigns.id, campaignId));
    await clear("appleAppId");
    expect(await row(ctx)).toMatchObject({ appleAppId: null });
  });

  test("changes one app and no other", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await updateApp(mine.ctx, { name: "Mine" });
    expect((await row(other.ctx))?.name).toBe("Fitness");
  });

  const RULES = { retryWindowHours: 24, referrerDailyCap: null };
  const opened = (ctx: Context, values: object) => ({ ...ctx, seen: JSON.stringify(values) });

  test("a save that would undo another one is refused with both versions, until its sender has seen them", async () => {
    const { ctx } = await makeTenant();
    const form = opened(ctx, RULES);
    await updateApp(ctx, { ...RULES, retryWindowHours: 48 });
    const stale = { ...RULES, referrerDailyCap: 5 };
    const refused: AppError = await updateApp(form, stale).catch((error) => error);
    expect(refused.code).toBe("CONFLICT");
    const changes = [{ field: "retryWindowHours", before: "48", after: "24" }];
    expect(conflictOf(refused)).toMatchObject({ changes });
    expect(await row(ctx)).toMatchObject({ retryWindowHours: 48, referrerDailyCap: null });
    await updateApp({ ...ctx, seen: conflictOf(refused)?.seen }, stale);
    expect(await row(ctx)).toMatchObject({ retryWindowHours: 24, referrerDailyCap: 5 });
  });

  test("a refusal says who saved the field and when, and gives no name without an entry of a user", async () => {
    const { ctx } = await makeTenant();
    const [maria, bob] = [
      await joinAs(ctx.workspace.id, "admin", "Maria"),
      await joinAs(ctx.workspace.id, "admin", "Bob"),
    ].map(({ actor }) => ({ ...ctx, actor }));
    if (!maria || !bob) throw new Error("no member joined");
    await updateApp(maria, { ...RULES, retryWindowHours: 48 });
    const minutesAgo = new Date(Date.now() - 2 * 60_000);
    await ctx.db.orm
      .update(auditLog)
      .set({ createdAt: minutesAgo })
      .where(eq(auditLog.workspaceId, ctx.workspace.id));
    await updateApp(bob, { name: "Running" });
    const refusalOf = (actor: Context["actor"]) =>
      updateApp({ ...opened(ctx, RULES), actor }, RULES).catch(({ message }) => message);
    expect(await refusalOf(bob.actor)).toBe(
      "Maria saved this 2 minutes ago, while you were editing. Your changes were not saved",
    );
    expect(await refusalOf(maria.actor)).toBe(
      "You saved this in another tab or window 2 minutes ago. Your changes were not saved",
    );
    await updateApp(ctx, { retryWindowHours: 72 });
    expect(await refusalOf(bob.actor)).toBe(
      "This was changed while you were editing. Your changes were not saved",
    );
  });

  test("other fields, and the same value, conflict with nothing", async () => {
    const { ctx } = await makeTenant();
    await updateApp(ctx, { name: "Running", retryWindowHours: 48 });
    await updateApp(opened(ctx, { referrerDailyCap: null }), { referrerDailyCap: 5 });
    await updateApp(opened(ctx, RULES), { ...RULES, retryWindowHours: 48, referrerDailyCap: 5 });
    expect(await row(ctx)).toMatchObject({ name: "Running", retryWindowHours: 48, referrerDailyCap: 5 });
  });

  test("of saves that began with the same values and come at once, one is stored", async () => {
    const { ctx } = await makeTenant();
    const form = opened(ctx, RULES);
    const saves: Promise<void>[] = [];
    // The lock makes both wait where they would otherwise read the same values.
    await ctx.db.transaction(async (db) => {
      await db.orm.select().from(apps).where(eq(apps.id, ctx.app.id)).for("update");
      for (const hours of [41, 42]) saves.push(updateApp(form, { ...RULES, retryWindowHours: hours }));
      await blockedBackends(2);
    });
    const outcomes = await Promise.allSettled(saves);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await entries(ctx)).toHaveLength(1);
  });

  const identity = { name: "Fitness", appleAppId: "1234567890" };
  const FINGERPRINT = Array.from({ length: 32 }, () => "AB").join(":");

  test("an empty field removes the value, and fingerprints are listed one per line", () => {
    const read = appIdentity.parse({ ...identity, androidFingerprints: `${FINGERPRINT.toLowerCase()}\n` });
    expect(read).toMatchObject({
      androidPackage: null,
      androidFingerprints: [FINGERPRINT],
    });
  });

  test.each([
    ["appleTeamId", "abc"],
    ["iosBundleId", "not a bundle"],
    ["androidFingerprints", "AB:CD"],
    ["androidPackage", "javascript:alert(1)"],
    ["name", " "],
  ])("%s = %j is refused by its name", (field, value) => {
    const result = appIdentity.safeParse({ ...identity, [field]: value });
    expect(result.error?.issues[0]?.path[0]).toBe(field);
    expect(result.error?.issues[0]?.message).toContain(field);
  });

  test.each([
    [appAccent, { accentColor: "red" }, "accentColor"],
    [appAccent, { accentColor: "#12345" }, "accentColor"],
    [appRules, { retryWindowHours: "87601" }, "retryWindowHours"],
    [appRules, { retryWindowHours: "1.5" }, "retryWindowHours"],
    [appRules, { retryWindowHours: "24", referrerDailyCap: "0" }, "referrerDailyCap"],
    [appRetention, { requestLogDays: "0", payloadDays: "90" }, "requestLogDays"],
    [appRetention, { requestLogDays: "7", payloadDays: "" }, "payloadDays"],
  ])("numbers outside their range are refused: %#", (schema, fields, field) => {
    expect(schema.safeParse(fields).error?.issues[0]?.message).toContain(field);
  });
});
