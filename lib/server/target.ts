/** A request target as it stands in the request line, judged without ever throwing. */
export interface Target {
  /** Path and query without an origin; what the routers get to see. */
  url: string;
  /** The path alone, still percent-encoded. */
  path: string;
  /** Whether errors are answered in the API's envelope. */
  api: boolean;
  /** False: answer 400, whatever is behind it. */
  sound: boolean;
}

/** Longer targets than any of ours; the parser's own limit is 16 KiB for all headers together. */
const MAX_LENGTH = 4096;

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const API = /^[/\\]+api(?:[/?\\]|$)/;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x1f\x7f\\]/;
const OUTSIDE_ASCII = /[^\x21-\x7e]|[#\\]/;

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Splits and judges a request target. Refused: anything but an absolute path, malformed percent-encoding, control
 * characters, `//`, backslashes, dot segments (a router and a URL parser would see two different paths).
 */
export function parseTarget(given: string): Target {
  const url = given.replace(ORIGIN, "") || "/";
  const path = url.split("?", 1)[0] ?? "";
  const decoded = decode(path);
  const shown = decoded ?? path;
  const api = !url.startsWith("/") || API.test(shown);
  const sound =
    url.startsWith("/") &&
    url.length <= MAX_LENGTH &&
    decoded !== undefined &&
    !OUTSIDE_ASCII.test(url) &&
    !shown.includes("//") &&
    !CONTROL.test(shown) &&
    !DOT_SEGMENT.test(shown);
  return { url, path, api, sound };
}
