import { isbot } from "isbot";

/** Fetches pictures for Discord under a browser's name; isbot 5.2.3 does not recognise it. */
const DISCORD_MEDIA = /Macintosh; Intel Mac OS X 10\.10; rv:38\.0\) Gecko\/20100101 Firefox\/38\.0/;

const PREFETCH_HEADERS = ["purpose", "sec-purpose", "x-purpose", "x-moz"];

/** Whether a request comes from a browser: no known robot, and no preview of a pasted link. */
export function isBrowser(headers: Headers): boolean {
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
