import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { detect } from "@/lib/outward/problems/detect";
import { database } from "@/lib/platform/db/client";
import { alerts, emails, pools, providerConnections } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";

/** An app without a problem: 60 codes per pool, low at 50. */
export const soundApp = (): Promise<Tenant> => makeTenant({ codes: 60 });

/** Adds an enabled connection, because an app with events but no connection has a problem. */
export async function withProvider(tenant: Tenant): Promise<Tenant> {
  const { db, app } = tenant.ctx;
  const row = { appId: app.id, id: uuidv7(), provider: "generic", secret: "" };
  await db.orm.insert(providerConnections).values(row);
  return tenant;
}

/** Severity, kind and subject of each problem of an app, in their order. */
export const problemsOf = async (ctx: Context) =>
  (await detect(ctx)).map(({ severity, kind, subject }) => [severity, kind, subject]);

/** A time in the past. */
export const ago = (ms: number) => new Date(Date.now() - ms);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Kinds of an app's stored alerts. */
export async function alertKinds(ctx: Context): Promise<string[]> {
  const rows = await database().orm.select().from(alerts).where(eq(alerts.appId, ctx.app.id));
  return rows.map(({ kind }) => kind);
}

/** The emails about an app, in the order of writing. */
export async function emailsAbout(ctx: Context) {
  const rows = await database()
    .orm.select()
    .from(emails)
    .where(sql`${emails.text} like ${`%${ctx.app.id}%`}`)
    .orderBy(emails.id);
  return rows.map(({ recipient, subject, text }) => ({ recipient, subject, text }));
}

/** Updates a pool of an app. */
export const setPool = (ctx: Context, id: string, values: Partial<typeof pools.$inferInsert>) =>
  ctx.db.orm
    .update(pools)
    .set(values)
    .where(and(eq(pools.appId, ctx.app.id), eq(pools.id, id)));
