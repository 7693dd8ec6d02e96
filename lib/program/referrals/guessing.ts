import { createHash } from "node:crypto";
import { waitOf } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { phoneCaller, placeOf } from "@/lib/tenants/api-keys/address-cap";
import { refuseByKey } from "@/lib/tenants/api-keys/refusals";
import type { Context, KeyActor } from "@/lib/tenants/context";

/** An end user together with the place, so that a stranger cannot use up the guesses of another user's uid. */
function endUserOf(actor: KeyActor, uid: string): string {
  return `${placeOf(actor)} ${createHash("sha256").update(uid).digest("base64url")}`;
}

/**
 * Refuses an end user who has guessed too often, before any look-up, because different answers would reveal which
 * metacodes exist. A phone's address is only slowed down, because others may share it. Guesses in flight are not counted
 * yet: they can exceed the limit by their number, which the burst limit bounds.
 */
export async function allowGuess(ctx: Context, refereeUid: string): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "api_key") return;
  const user = await limits().peekGuess(endUserOf(actor, refereeUid));
  if (!user.allowed) {
    const message = `Too many unknown metacodes from this referee_uid, try again in ${waitOf(user)}`;
    refuseByKey(ctx, "unknown_per_user", user, message);
  }
  if (!phoneCaller(ctx)) return;
  const address = await limits().lookUp(placeOf(actor));
  if (address.allowed) return;
  const message = "Too many unknown metacodes from this address, try again in a minute";
  refuseByKey(ctx, "unknown_per_address", address, message);
}

/**
 * Counts one unknown metacode. Over the limit of the key, which a server reaches only if more metacodes are wrong than
 * right, unknown ones are RATE_LIMITED instead of METACODE_NOT_FOUND; a known one is never refused for it.
 */
export async function countUnknownMetacode(ctx: Context, refereeUid: string): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "api_key") return;
  const [key] = await Promise.all([
    limits().unknownMetacode(actor.limitsId),
    limits().guess(endUserOf(actor, refereeUid)),
    phoneCaller(ctx) && limits().guessFrom(placeOf(actor)),
  ]);
  if (!key.allowed) {
    refuseByKey(
      ctx,
      "unknown_metacodes",
      key,
      `Too many unknown metacodes with this API key, try again in ${waitOf(key)}`,
    );
  }
}

/** Counts a metacode that got a code, without waiting: it offsets an unknown one. */
export function countKnownMetacode(ctx: Context): void {
  const { actor } = ctx;
  if (actor.kind !== "api_key") return;
  void limits().knownMetacode(actor.limitsId, phoneCaller(ctx) && placeOf(actor));
}
