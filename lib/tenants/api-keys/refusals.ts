import { eq } from "drizzle-orm";
import type { KeyLimit } from "@/lib/contract/api-key";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { apiKeys } from "@/lib/platform/db/schema";
import type { ErrorDetails } from "@/lib/platform/errors";
import { type LimitDecision, refuse } from "@/lib/platform/limits/decision";
import { singleton } from "@/lib/platform/singleton";
import type { Context } from "@/lib/tenants/context";
import { hashKey, isKeyText } from "./text";

const NOTE_KEY_REFUSALS = sqlFunction("note_key_refusals", {
  apps: "uuid[]",
  keys: "uuid[]",
  limits: "text[]",
  refused: "int[]",
  times: "timestamptz[]",
  untils: "timestamptz[]",
}).returns<void>();

interface Refusals {
  appId: string;
  keyId: string;
  limit: KeyLimit;
  refused: number;
  at: Date;
  until: Date;
}

/** Milliseconds for which a refusal is written although its limit has ended: many limits last a second. */
const NEWS_MS = 10_000;

/** By key and limit, so that a flood is one entry. */
const pending = () => singleton("key-refusals", () => new Map<string, Refusals>());

/** RATE_LIMITED by a limit of the calling key, which the page of the key will show. */
export function refuseByKey(
  ctx: Context,
  limit: KeyLimit,
  decision: LimitDecision,
  message: string,
  details?: ErrorDetails,
): never {
  if (ctx.actor.kind === "api_key") {
    // The day of a budget ends by the database's clock.
    const isBudget = limit === "daily_budget";
    const until = new Date(isBudget ? decision.resetAt * 1_000 : Date.now() + decision.retryAfter * 1_000);
    note({ appId: ctx.app.id, keyId: ctx.actor.id, limit, refused: 1, at: new Date(), until });
  }
  return refuse(decision, message, details);
}

function note(entry: Refusals): void {
  const id = `${entry.keyId} ${entry.limit}`;
  const known = pending().get(id);
  if (!known) return void pending().set(id, entry);
  known.refused += entry.refused;
  if (entry.at > known.at) known.at = entry.at;
  if (entry.until > known.until) known.until = entry.until;
}

/** Drops the noted refusals of a key: the change that made them outdated may be stored before they are. */
export function forgetRefusals(keyId: string): void {
  for (const [id, entry] of pending()) if (entry.keyId === keyId) pending().delete(id);
}

/** Writes the noted refusals in one statement. During an outage of the database they stay noted. */
export async function flushKeyRefusals(db: Db): Promise<void> {
  // A limit that ended while the database was away is no longer in force.
  const isNews = ({ limit, at, until }: Refusals) =>
    limit === "daily_budget" || Math.max(until.getTime(), at.getTime() + NEWS_MS) > Date.now();
  const taken = [...pending().values()].filter(isNews);
  pending().clear();
  if (taken.length === 0) return;
  try {
    await db.call(NOTE_KEY_REFUSALS, {
      apps: taken.map(({ appId }) => appId),
      keys: taken.map(({ keyId }) => keyId),
      limits: taken.map(({ limit }) => limit),
      refused: taken.map(({ refused }) => refused),
      times: taken.map(({ at }) => at),
      untils: taken.map(({ until }) => until),
    });
  } catch (error) {
    // Only after an outage: rows that cannot be written would be retried forever.
    if (isOutage(error)) for (const entry of taken) note(entry);
    throw error;
  }
}

/** The app of a key that was revoked or has expired, so that its refused requests are listed there. */
export async function findEndedKey(
  db: Db,
  text: string | null,
): Promise<{ id: string; app: { id: string } } | undefined> {
  if (text === null || !isKeyText(text)) return undefined;
  const [row] = await db.orm
    .select({ id: apiKeys.id, appId: apiKeys.appId })
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, hashKey(text)));
  return row && { id: row.id, app: { id: row.appId } };
}
