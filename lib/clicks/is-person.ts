import { isbot } from "isbot";

/** Fetches pictures for Discord under a browser's name; isbot 5.2.3 takes it for a person. */
const DISCORD_MEDIA = /Macintosh; Intel Mac OS X 10\.10; rv:38\.0\) Gecko\/20100101 Firefox\/38\.0/;

const PREFETCH_HEADERS = ["purpose", "sec-purpose", "x-purpose", "x-moz"];

/**
 * Whether a person asks: something that no list calls a robot, not a preview made when a link is pasted, and not a
 * browser that reads ahead.
 */
export function isPerson(headers: Headers): boolean {
  const userAgent = headers.get("user-agent")?.trim() ?? "";
  if (userAgent === "" || isbot(userAgent) || DISCORD_MEDIA.test(userAgent)) return false;
  return !PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""));
}
