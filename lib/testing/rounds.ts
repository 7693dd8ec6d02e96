import { asc } from "drizzle-orm";
import { watchApp } from "@/lib/outward/problems/watch";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { sweepTenant } from "@/lib/program/retention/sweep-tenant";
import { systemContext } from "@/lib/tenants/apps/app";
import { sweepInstallation } from "@/lib/web/background/sweep";

const allApps = (db: Db) => db.orm.select().from(apps).orderBy(asc(apps.id));

/** Sweeps the installation and each of its apps as of `now`; returns the number of deleted rows. */
export async function sweepOnce(db: Db, now = new Date()): Promise<number> {
  let swept = await sweepInstallation(db, now);
  for (const app of await allApps(db)) swept += await sweepTenant(db, app, now);
  return swept;
}

/** Looks for problems in every app. */
export async function watchProblems(db: Db): Promise<void> {
  for (const app of await allApps(db)) await watchApp(systemContext(db, app));
}
