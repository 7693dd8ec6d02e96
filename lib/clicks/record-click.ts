import { clickBuffer, type Visit } from "@/lib/clicks/buffer";
import { clickId } from "@/lib/clicks/click-id";
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
  headers: Headers;
  address: string;
}

async function visitOf(link: ClickedLink, { headers, address }: Opening): Promise<Visit | undefined> {
  if (!isPerson(headers)) return undefined;
  const salt = await dailySalt(database(), today()).catch((error: unknown) => {
    log().warn({ err: error }, "a click was not counted");
  });
  if (!salt) return undefined;
  const userAgent = headers.get("user-agent") ?? "";
  const visitor = visitorHash(salt, addressBucket(address), userAgent, link.metacode);
  return { appId: link.appId, referrerId: link.referrerId, visitor };
}

/**
 * The id that a person's click on this link has today, for the page's links; `redeem` takes it as `click_id`. Nothing
 * is counted yet. Nothing for robots, previews and prefetches, and where the database is away. Never throws.
 */
export async function clickIdOf(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const visit = await visitOf(link, opening);
  return visit && clickId(visit);
}

/** Counts a person's first opening of a link on a day (UTC) and returns the click's id, as above. Never throws. */
export async function recordClick(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const visit = await visitOf(link, opening);
  // `referral.clicked` is off by default and is not emitted yet; it will leave with the batch, not from here.
  return visit && clickBuffer().add(visit);
}

/** Writes the clicks that wait; for a clean shutdown. */
export function flushClicks(): Promise<void> {
  return clickBuffer().flush();
}
