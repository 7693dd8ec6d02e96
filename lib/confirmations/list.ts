import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

const MAX_PAGE = 100;

export interface Page {
  /** Id of the last event seen; absent for the first page. */
  cursor?: string | undefined;
  /** At most 100. */
  limit?: number;
}

export interface Events {
  data: InboxEvent[];
  nextCursor: string | null;
}

/** Everything an app's providers sent, newest first; of one connection where it is named. */
export function listEvents(ctx: Context, page: Page & { connectionId?: string } = {}): Promise<Events> {
  const { cursor = null, connectionId } = page;
  return read(
    ctx,
    page,
    [desc(providerEvents.id)],
    [
      cursor === null ? undefined : lt(providerEvents.id, known(cursor)),
      connectionId === undefined ? undefined : eq(providerEvents.connectionId, known(connectionId)),
    ],
  );
}

/** The unmatched room, newest first. It is walked by time because its index is, and a time may occur twice. */
export function listUnmatched(ctx: Context, page: Page = {}): Promise<Events> {
  const { id, appId, verdict, createdAt } = providerEvents;
  const last = sql`(select e.created_at, e.id from ${providerEvents} e
    where e.app_id = ${ctx.app.id} and e.id = ${page.cursor === undefined ? null : known(page.cursor)})`;
  return read(
    ctx,
    page,
    [desc(createdAt), desc(id)],
    [
      and(eq(appId, ctx.app.id), eq(verdict, "unmatched")),
      page.cursor === undefined ? undefined : sql`(${createdAt}, ${id}) < ${last}`,
    ],
  );
}

const known = (id: string): string => (isUuid(id) ? id : fail("NOT_FOUND", "No event of this id"));

async function read(
  ctx: Context,
  { limit = 50 }: Page,
  order: SQL[],
  conditions: (SQL | undefined)[],
): Promise<Events> {
  const size = Math.min(Math.max(Math.trunc(limit), 1), MAX_PAGE);
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), ...conditions))
    .orderBy(...order)
    .limit(size + 1);
  const data = rows.slice(0, size);
  return { data, nextCursor: rows.length > size ? (data.at(-1)?.id ?? null) : null };
}
