import { and, eq } from "drizzle-orm";
import type { InboxEvent } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { newestByTime, newestFirst, walkPage } from "@/lib/db/walk";
import { fail } from "@/lib/errors";
import { type Page, type Paged, pageSize } from "@/lib/page";

const { id, appId, verdict, createdAt, connectionId } = providerEvents;

interface EventFilters {
  connectionId?: string;
  verdict?: InboxEvent["verdict"] | undefined;
}

/** Everything an app's providers sent, newest first; of one connection, with one verdict, where they are named. */
export function listEvents(ctx: Context, page: Page & EventFilters = {}): Promise<Paged<InboxEvent>> {
  const of = page.connectionId === undefined ? undefined : eq(connectionId, known(page.connectionId));
  return walkPage(ctx.db, providerEvents, {
    ...newestFirst(id),
    within: and(eq(appId, ctx.app.id), of),
    filter: page.verdict && eq(verdict, page.verdict),
    cursor: page.cursor,
    size: pageSize(page),
  });
}

/** The unmatched room, newest first. It is walked by time because its index is. */
export function listUnmatched(
  ctx: Context,
  page: Page & { verdict?: InboxEvent["verdict"] } = {},
): Promise<Paged<InboxEvent>> {
  return walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(eq(appId, ctx.app.id), eq(verdict, page.verdict ?? "unmatched")),
    ...{ cursor: page.cursor, size: pageSize(page) },
  });
}

const known = (given: string): string => (isUuid(given) ? given : fail("NOT_FOUND", "No event of this id"));
