import { isbot } from "isbot";

/** Fetches pictures for Discord under a browser's name; isbot 5.2.3 takes it for a person. */
const DISCORD_MEDIA = /Macintosh; Intel Mac OS X 10\.10; rv:38\.0\) Gecko\/20100101 Firefox\/38\.0/;

const PREFETCH_HEADERS = ["purpose", "sec-purpose", "x-purpose", "x-moz"];

/** Something that no list calls a robot, and not a preview made when a link is pasted. */
export function isBrowser(headers: Headers): boolean {
  const userAgent = headers.get("user-agent")?.trim() ?? "";
  return userAgent !== "" && !isbot(userAgent) && !DISCORD_MEDIA.test(userAgent);
}

/** Whether a person asks: a browser that does not read ahead. */
export function isPerson(headers: Headers): boolean {
  return (
    isBrowser(headers) &&
    !PREFETCH_HEADERS.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""))
  );
}
