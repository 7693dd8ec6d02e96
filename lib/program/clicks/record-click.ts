import { isbot } from "isbot";
import { database } from "@/lib/platform/db/client";
import { addressBucket } from "@/lib/platform/limits/address";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { clickBuffer } from "@/lib/program/clicks/buffer";
import { clickId, dailySalt, type PageVisitor, today, visitorHash } from "@/lib/program/clicks/visitor";

/** Fetches pictures for Discord under a browser's name; isbot 5.2.3 does not recognise it. */
const DISCORD_MEDIA = /Macintosh; Intel Mac OS X 10\.10; rv:38\.0\) Gecko\/20100101 Firefox\/38\.0/;

const PREFETCH_HEADERS = ["purpose", "sec-purpose", "x-purpose", "x-moz"];

/** Whether a request comes from a browser: no known robot, and no preview of a pasted link. */
function isBrowser(headers: Headers): boolean {
  const userAgent = headers.get("user-agent")?.trim() ?? "";
  return userAgent !== "" && !isbot(userAgent) && !DISCORD_MEDIA.test(userAgent);
}

/** Whether a request comes from a person: a browser that does not prefetch. */
export function isPerson(headers: Headers): boolean {
  return (
    isBrowser(headers) &&
    !PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""))
  );
}

/** The link that was opened. */
interface ClickedLink {
  appId: string;
  referrerId: string;
  metacode: string;
}

/** The visitor's request; `address` is hashed at once and never stored. */
export interface Opening {
  headers: Headers;
  address: string;
}

interface IdentifiedVisitor {
  visitor: PageVisitor;
  /** Bucket of the limit: link and address, without the name of the browser. */
  bucket: string;
}

async function identify(
  link: ClickedLink,
  { headers, address }: Opening,
): Promise<IdentifiedVisitor | undefined> {
  const salt = await dailySalt(database(), today()).catch((error: unknown) => {
    log().warn({ err: error }, "a click was not counted");
  });
  if (!salt) return undefined;
  const hash = (userAgent: string) => visitorHash(salt, addressBucket(address), userAgent, link.metacode);
  const visitor = {
    appId: link.appId,
    referrerId: link.referrerId,
    visitor: hash(headers.get("user-agent") ?? ""),
  };
  return { visitor, bucket: hash("").toString("base64url") };
}

/**
 * The id of today's click on this link, for the page's links; `redeem` takes it as `click_id`. Nothing is counted, so a
 * prefetched page has an id as well. Undefined for robots and previews, and during an outage. Never throws.
 */
export async function clickIdOf(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const identified = isBrowser(opening.headers) ? await identify(link, opening) : undefined;
  return identified && clickId(identified.visitor);
}

/**
 * Counts a person's first opening of a link on a day (UTC) and returns the click's id, as above. A visitor who sends
 * another user agent with each request is counted at most 120 times an hour. Never throws.
 */
export async function recordClick(link: ClickedLink, opening: Opening): Promise<string | undefined> {
  const identified = isPerson(opening.headers) ? await identify(link, opening) : undefined;
  if (!identified) return undefined;
  const { visitor, bucket } = identified;
  const buffer = clickBuffer();
  if (!buffer.knows(visitor) && !(await limits().click(bucket)).allowed) return undefined;
  return buffer.add(visitor);
}

/** Writes the pending clicks, for a clean shutdown. */
export function flushClicks(): Promise<void> {
  return clickBuffer().flush();
}
