import type { Context } from "@/lib/context";
import { addressBucket } from "@/lib/limits/address";
import { limits } from "@/lib/limits/limits";
import { refuse } from "@/lib/limits/refuse";

/**
 * Unknown metacodes are counted per key and address: a mobile app's users share one key, and one who guesses must not
 * lock out the others.
 */
function guesser(ctx: Context): string | undefined {
  const { actor } = ctx;
  return actor.kind === "api_key" ? `${actor.id} ${addressBucket(actor.address)}` : undefined;
}

/**
 * Refuses before anything is looked up, or the difference of the answers would tell which metacodes live. Guesses
 * already under way are not counted yet: they can exceed the limit by their number, which the burst limit bounds.
 */
export async function allowGuess(ctx: Context): Promise<void> {
  const who = guesser(ctx);
  if (!who) return;
  const verdict = await limits().peekUnknownMetacode(who);
  if (!verdict.allowed) refuse(verdict, "Too many unknown metacodes, try again later");
}

/** Counts one unknown metacode against whoever sent it; people and the system are not counted. */
export async function countUnknownMetacode(ctx: Context): Promise<void> {
  const who = guesser(ctx);
  if (who) await limits().unknownMetacode(who);
}
