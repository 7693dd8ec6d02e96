import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { appAccent, appIdentity, appRetention, appRules } from "@/lib/contract/app";
import { apps, auditLog } from "@/lib/platform/db/schema";
import { updateApp } from "@/lib/tenants/apps/update";
import type { Context } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const row = async ({ db, app }: Context) => (await db.orm.select().from(apps).where(eq(apps.id, app.id)))[0];

const entries = ({ db, workspace }: Context) =>
  db.orm.select().from(auditLog).where(eq(auditLog.workspaceId, workspace.id));

describe("settings of an app", () => {
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

  test("changes one app and no other", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await updateApp(mine.ctx, { name: "Mine" });
    expect((await row(other.ctx))?.name).toBe("Fitness");
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
