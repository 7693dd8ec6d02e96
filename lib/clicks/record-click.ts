import { clickBuffer } from "@/lib/clicks/buffer";
import { dailySalt, today } from "@/lib/clicks/daily-salt";
import { isPerson } from "@/lib/clicks/is-person";
import { visitorHash } from "@/lib/clicks/visitor";
import { database } from "@/lib/db/client";
import { addressBucket } from "@/lib/limits/address";
import { log } from "@/lib/log";

/** Whose link was opened. */
interface ClickedLink {
  appId: string;
  referrerId: string;
  metacode: string;
}

/** Who opened it; `address` is hashed at once and never kept. */
export interface Opening {
  method: string;
  headers: Headers;
  address: string;
}

/**
 * Counts a person's first opening of a link on a day (UTC) and returns the click's id, which `redeem` takes as
 * `click_id`; nothing for robots, previews and prefetches, and where the database is away. Never throws.
 */
export async function recordClick(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  if (!isPerson(opening.method, opening.headers)) return undefined;
  const salt = await dailySalt(database(), today()).catch((error: unknown) => {
    log().warn({ err: error }, "a click was not counted");
  });
  if (!salt) return undefined;
  const userAgent = opening.headers.get("user-agent") ?? "";
  const visitor = visitorHash(salt, addressBucket(opening.address), userAgent, link.metacode);
  // `referral.clicked` is off by default and is not emitted yet; it will leave with the batch, not from here.
  return clickBuffer().add({ appId: link.appId, referrerId: link.referrerId, visitor });
}

/** Writes the clicks that wait; for a clean shutdown. */
export function flushClicks(): Promise<void> {
  return clickBuffer().flush();
}
