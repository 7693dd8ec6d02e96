import { Cache } from "@/lib/platform/cache";
import { AppError } from "@/lib/platform/errors";
import { addressBucket } from "@/lib/platform/limits/address";
import { refuse } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { clientAddress } from "@/lib/web/http/client-address";
import { findInvitationAt, type LandingInvitation } from "@/lib/web/landing/find-invitation";

/**
 * Finds the invitation of a visitor's link. An unknown link is a guess at a metacode: an address with many of them gets
 * a few a minute, and is then refused before the look-up, because the answers would reveal known ones. Throws RATE_LIMITED.
 */
export async function lookUpInvitation(
  request: Request,
  slug: string,
): Promise<LandingInvitation | undefined> {
  const place = `links ${addressBucket(clientAddress(request))}`;
  const decision = await limits().lookUp(place);
  if (!decision.allowed) refuse(decision, "Too many unknown links from this address");
  const invitation = await findInvitationAt(request.headers, slug);
  if (!invitation) await limits().guessFrom(place);
  else if (decision.slow) await limits().foundSlowly(place);
  return invitation;
}

/** Seconds to wait where {@link lookUpInvitation} refused the visitor; undefined for every other error. */
export function secondsToWait(error: unknown): number | undefined {
  return error instanceof AppError && error.code === "RATE_LIMITED" ? error.retryAfter : undefined;
}

/** Logs that a page or image `failed`, with the cause: every time, but refusals under load once a minute. */
export function logFailure(error: unknown, failed = "a landing page could not be shown"): void {
  if (!(error instanceof AppError && error.code === "SERVICE_UNAVAILABLE")) {
    log().error({ err: error }, failed);
    return;
  }
  const lines = singleton("landing.refusals", () => new Cache<void>(60_000, 1));
  void lines.get("line", async () =>
    log().warn({ err: error }, "visitors of landing pages are asked to try again; logged once a minute"),
  );
}
