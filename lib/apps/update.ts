import { eq } from "drizzle-orm";
import { forgetApp } from "@/lib/apps/forget";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { apps } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import type { App } from "./record";

/** What an owner may change of an app; whether it is a sandbox is not among it. */
type AppChanges = Partial<
  Pick<
    App,
    | "name"
    | "appleAppId"
    | "androidPackage"
    | "accentColor"
    | "appleTeamId"
    | "iosBundleId"
    | "androidFingerprints"
    | "retryWindowHours"
    | "referrerDailyCap"
    | "requestLogDays"
    | "payloadDays"
  >
>;

/** Changes an app's settings; the audit log keeps what was different. Other processes see it within 5 seconds. */
export async function updateApp(ctx: Context, changes: AppChanges): Promise<void> {
  const mine = eq(apps.id, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    const { before, after } = difference(app ?? fail("NOT_FOUND", "There is no such app"), changes);
    if (Object.keys(after).length === 0) return;
    await db.orm.update(apps).set(after).where(mine);
    const subject = { subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name };
    await recordAudit(db, ctx, { action: "app.changed", ...subject, before, after });
  });
  await forgetApp(ctx.app.id);
}

/** The fields that become another value, as they were and as they will be. */
function difference(app: App, changes: AppChanges) {
  const names = (Object.keys(changes) as (keyof AppChanges)[]).filter(
    (name) => JSON.stringify(app[name]) !== JSON.stringify(changes[name]),
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, app[name]])),
    after: Object.fromEntries(names.map((name) => [name, changes[name]])),
  };
}
