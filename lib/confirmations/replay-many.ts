import { and, eq, gte } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import { judgeAgain } from "@/lib/confirmations/replay";
import type { Verdict } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { REPLAYABLE, type ReplayedChunk } from "@/lib/contract/provider";
import { uuidField } from "@/lib/contract/uuid";
import { providerEvents } from "@/lib/db/schema";
import { newestByTime, walkPage } from "@/lib/db/walk";

/** Events of one step: it takes well under a second, so that somebody who leaves stops it at once. */
const STEP = 25;

const HOUR = 3_600_000;
const SINCE = { "1h": HOUR, "1d": 24 * HOUR, "7d": 7 * 24 * HOUR, "90d": 90 * 24 * HOUR };

/** What a form asks to be replayed. */
export const replayFields = z.object({
  appId: uuidField("appId"),
  connectionId: uuidField("connectionId").optional(),
  verdict: z.enum(REPLAYABLE as [Verdict], { error: "Choose events that did nothing when they came" }),
  since: z.enum(["1h", "1d", "7d", "90d"], { error: "Choose how far back" }),
  /** Where the step before ended; empty at the first. */
  cursor: z.string().max(200).optional(),
});

type ReplayMany = Omit<z.output<typeof replayFields>, "appId">;

const { appId, id, verdict, createdAt, connectionId } = providerEvents;

/**
 * Replays the next few of all events with a verdict since a moment, the newest first: what comes meanwhile is not among
 * them, so it ends. Called again with `next` until that is null; broken off or run twice, every event has its effect
 * once, and in which order makes no difference. Throws VALIDATION_ERROR.
 */
export async function replayMany(ctx: Context, asked: ReplayMany): Promise<ReplayedChunk> {
  const since = new Date(Date.now() - SINCE[asked.since]);
  const page = await walkPage(ctx.db, providerEvents, {
    ...newestByTime(createdAt, id),
    within: and(eq(appId, ctx.app.id), eq(verdict, asked.verdict), gte(createdAt, since)),
    filter: asked.connectionId === undefined ? undefined : eq(connectionId, asked.connectionId),
    ...{ cursor: asked.cursor || undefined, size: STEP },
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
