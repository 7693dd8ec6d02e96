import { clickBuffer, type Visit } from "@/lib/clicks/buffer";
import { clickId } from "@/lib/clicks/click-id";
import { dailySalt, today } from "@/lib/clicks/daily-salt";
import { isBrowser, isPerson } from "@/lib/clicks/is-person";
import { visitorHash } from "@/lib/clicks/visitor";
import { database } from "@/lib/db/client";
import { addressBucket } from "@/lib/limits/address";
import { limits } from "@/lib/limits/limits";
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

interface Place {
  visit: Visit;
  /** The link and the address alone, whatever the browser calls itself. */
  place: string;
}

async function placeOf(link: ClickedLink, { headers, address }: Opening): Promise<Place | undefined> {
  const salt = await dailySalt(database(), today()).catch((error: unknown) => {
    log().warn({ err: error }, "a click was not counted");
  });
  if (!salt) return undefined;
  const hash = (userAgent: string) => visitorHash(salt, addressBucket(address), userAgent, link.metacode);
  const visitor = hash(headers.get("user-agent") ?? "");
  const visit = { appId: link.appId, referrerId: link.referrerId, visitor };
  return { visit, place: hash("").toString("base64url") };
}

/**
 * The id that a person's click on this link has today, for the page's links; `redeem` takes it as `click_id`. Nothing
 * is counted yet, so a page read ahead has one: it may be seen later. Nothing for robots and previews, and where the
 * database is away. Never throws.
 */
export async function clickIdOf(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const found = isBrowser(opening.headers) ? await placeOf(link, opening) : undefined;
  return found && clickId(found.visit);
}

/**
 * Counts a person's first opening of a link on a day (UTC) and returns the click's id, as above. Whoever changes the
 * name of a browser with each request is counted 120 times an hour and no more. Never throws.
 */
export async function recordClick(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const found = isPerson(opening.headers) ? await placeOf(link, opening) : undefined;
  if (!found) return undefined;
  const [buffer, { visit, place }] = [clickBuffer(), found];
  if (!buffer.knows(visit) && !(await limits().click(place)).allowed) return undefined;
  return buffer.add(visit);
}

/** Writes the clicks that wait; for a clean shutdown. */
export function flushClicks(): Promise<void> {
  return clickBuffer().flush();
}
