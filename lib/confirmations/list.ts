import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { scanPage } from "@/lib/db/scan";
import { providerEvents } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { type Page, type Paged, pageOf, pageSize } from "@/lib/page";

const { id, appId, verdict, createdAt, connectionId } = providerEvents;

export interface EventFilters {
  connectionId?: string;
  verdict?: InboxEvent["verdict"] | undefined;
}

/** Everything an app's providers sent, newest first; of one connection, with one verdict, where they are named. */
export function listEvents(ctx: Context, page: Page & EventFilters = {}): Promise<Paged<InboxEvent>> {
  const of = page.connectionId === undefined ? undefined : eq(connectionId, known(page.connectionId));
  return scanPage(ctx.db, providerEvents, {
    tenant: and(eq(appId, ctx.app.id), of) ?? sql`false`,
    filter: page.verdict && eq(verdict, page.verdict),
    cursor: page.cursor === undefined ? undefined : known(page.cursor),
    size: pageSize(page),
  });
}

/** The unmatched room, newest first. It is walked by time because its index is, and a time may occur twice. */
export async function listUnmatched(
  ctx: Context,
  page: Page & { verdict?: "unmatched" | "dismissed" } = {},
): Promise<Paged<InboxEvent>> {
  const size = pageSize(page);
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), eq(verdict, page.verdict ?? "unmatched"), after(ctx, page)))
    .orderBy(desc(createdAt), desc(id))
    .limit(size + 1);
  return pageOf(rows, size);
}

function after(ctx: Context, { cursor }: Page): SQL | undefined {
  if (cursor === undefined) return undefined;
  return sql`(${createdAt}, ${id}) < (select e.created_at, e.id from ${providerEvents} e
    where e.app_id = ${ctx.app.id} and e.id = ${known(cursor)})`;
}

const known = (given: string): string => (isUuid(given) ? given : fail("NOT_FOUND", "No event of this id"));
