import { and, eq, gte } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import { judgeAgain } from "@/lib/confirmations/replay";
import type { Verdict } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { REPLAYABLE, type ReplayedChunk } from "@/lib/contract/provider";
import { isUuid } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { newestByTime, walkPage } from "@/lib/db/walk";
import { fail } from "@/lib/errors";

/** Events of one step: it takes well under a second, so that somebody who leaves stops it at once. */
const STEP = 25;

interface ReplayMany {
  verdict: Verdict;
  connectionId?: string | undefined;
  since: Date;
  /** Where the step before ended. */
  cursor?: string | undefined;
}

const { appId, id, verdict, createdAt, connectionId } = providerEvents;

/**
 * Replays the next few of all events with a verdict since a moment, the newest first: what comes meanwhile is not among
 * them, so it ends. Called again with `next` until that is null; broken off or run twice, every event has its effect
 * once, and in which order makes no difference. Throws VALIDATION_ERROR and NOT_FOUND.
 */
export async function replayMany(ctx: Context, asked: ReplayMany): Promise<ReplayedChunk> {
  if (!REPLAYABLE.includes(asked.verdict)) {
    fail("VALIDATION_ERROR", "Choose events that did nothing when they came", { field: "verdict" });
  }
  const page = await walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(eq(appId, ctx.app.id), eq(verdict, asked.verdict), gte(createdAt, asked.since)),
    filter: asked.connectionId === undefined ? undefined : eq(connectionId, known(asked.connectionId)),
    ...{ cursor: asked.cursor, size: STEP },
  });
  const became: ReplayedChunk["became"] = {};
  for (const event of page.data) {
    const { row } = await judgeAgain(ctx.db, ctx.app.id, event.id, true);
    const status = row.verdict as Verdict;
    became[status] = (became[status] ?? 0) + 1;
  }
  await audit(ctx, asked, became, page.data[0]?.id);
  return { became, next: page.nextCursor };
}

async function audit(ctx: Context, asked: ReplayMany, became: ReplayedChunk["became"], first?: string) {
  if (!first) return;
  const entry = { action: "event.replayed_many", subject: "event", subjectId: first };
  await recordAudit(ctx.db, ctx, { ...entry, before: { verdict: asked.verdict }, after: became });
}

const known = (given: string): string => (isUuid(given) ? given : fail("NOT_FOUND", "No such connection"));
