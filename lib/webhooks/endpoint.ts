import { and, desc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import type { EndpointView } from "@/lib/contract/webhook-events";
import { webhookEndpoints } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** The columns that pages may show: never a secret. */
export const VIEW_COLUMNS = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  events: webhookEndpoints.events,
  enabled: webhookEndpoints.enabled,
  disabledReason: webhookEndpoints.disabledReason,
  disabledAt: webhookEndpoints.disabledAt,
  failingSince: webhookEndpoints.failingSince,
  slowedUntil: webhookEndpoints.slowedUntil,
  createdAt: webhookEndpoints.createdAt,
  formerUntil: webhookEndpoints.formerUntil,
};

/** The one endpoint of the app with this id. */
export const ownEndpoint = (ctx: Context, id: string) =>
  and(eq(webhookEndpoints.appId, ctx.app.id), eq(webhookEndpoints.id, id));

/** The app's endpoints as pages show them, newest first. */
export function listEndpoints(ctx: Context): Promise<EndpointView[]> {
  return ctx.db.orm
    .select(VIEW_COLUMNS)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.appId, ctx.app.id))
    .orderBy(desc(webhookEndpoints.id));
}

/** One endpoint of the app. Throws NOT_FOUND. */
export async function getEndpoint(ctx: Context, id: string): Promise<EndpointView> {
  if (!isUuid(id)) return fail("NOT_FOUND", "No webhook endpoint has this id");
  const [row] = await ctx.db.orm.select(VIEW_COLUMNS).from(webhookEndpoints).where(ownEndpoint(ctx, id));
  return row ?? fail("NOT_FOUND", "No webhook endpoint has this id");
}

/** An endpoint as the audit log names its subject: its host, because a path may hold a token. */
export function endpointSubject({ id, url }: Pick<EndpointView, "id" | "url">) {
  return { subject: "webhook", subjectId: id, subjectName: new URL(url).host };
}
