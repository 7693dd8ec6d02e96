import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";

/**
 * Unknown metacodes are counted per key and address: a mobile app's users share one key, and one who guesses must not
 * lock out the others. 60 an hour find one of 10,000 live metacodes in some 50 years.
 */
function guesser(ctx: Context): string | undefined {
  return ctx.actor.kind === "api_key" ? `${ctx.actor.id} ${ctx.actor.address}` : undefined;
}

/** Refuses before anything is looked up, or the difference of the answers would tell which metacodes live. */
export async function allowGuess(ctx: Context): Promise<void> {
  const who = guesser(ctx);
  if (!who) return;
  const verdict = await limits().peekUnknownMetacode(who);
  if (verdict.allowed) return;
  fail("RATE_LIMITED", "Too many unknown metacodes, try again later", { retryAfter: verdict.retryAfter });
}

export async function countUnknownMetacode(ctx: Context): Promise<void> {
  const who = guesser(ctx);
  if (who) await limits().unknownMetacode(who);
}
