import type { Context } from "@/lib/platform/context";
import { addressBucket } from "@/lib/platform/limits/address";
import { limits } from "@/lib/platform/limits/limits";
import { refuse } from "@/lib/platform/limits/verdict";

/**
 * Unknown metacodes are counted per key and address: the users of a mobile app share one key, and a guessing user must
 * not lock out the others.
 */
function guesserOf(ctx: Context): string | undefined {
  const { actor } = ctx;
  return actor.kind === "api_key" ? `${actor.id} ${addressBucket(actor.address)}` : undefined;
}

/**
 * Refuses before any lookup, because different responses would reveal which metacodes exist. Running guesses are
 * not counted yet, so they can exceed the limit by their number, which the burst limit bounds.
 */
export async function allowGuess(ctx: Context): Promise<void> {
  const guesser = guesserOf(ctx);
  if (!guesser) return;
  const verdict = await limits().peekUnknownMetacode(guesser);
  if (!verdict.allowed) refuse(verdict, "Too many unknown metacodes, try again later");
}

/** Counts one unknown metacode against its sender; users and the system are not counted. */
export async function countUnknownMetacode(ctx: Context): Promise<void> {
  const guesser = guesserOf(ctx);
  if (guesser) await limits().unknownMetacode(guesser);
}
