import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import type { AppRef, Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";

/** An app as it is stored. */
export type App = typeof apps.$inferSelect;

/** The part of an app's row in the context of verbs. */
export function appRef(row: App): AppRef {
  return {
    id: row.id,
    name: row.name,
    sandbox: row.sandbox,
    appleAppId: row.appleAppId,
    androidPackage: row.androidPackage,
    landingDomain: row.landingDomainVerifiedAt ? row.landingDomain : null,
    iosBundleId: row.iosBundleId,
  };
}

/** An app as a subject of the audit log. */
export function appSubject({ id, name }: Pick<App, "id" | "name">) {
  return { subject: "app", subjectId: id, subjectName: name };
}

/** The context of an app in which the service itself acts, unmetered. */
export function systemContext(db: Db, app: App): Context {
  const workspace = { id: app.workspaceId };
  return {
    app: appRef(app),
    workspace,
    actor: { kind: "system" },
    db,
    requestId: uuidv7(),
    meter: unmetered,
  };
}

/** Locks the app: changes that depend on its other rows, such as their number, then come one after the other. */
export async function lockApp({ db, app }: Pick<Context, "db" | "app">): Promise<void> {
  await db.orm.select({ id: apps.id }).from(apps).where(eq(apps.id, app.id)).for("no key update");
}
