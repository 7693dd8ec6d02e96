/** The target of a request line, split and checked without ever throwing. */
export interface RequestTarget {
  /** Path and query without an origin, as the routers see it. */
  url: string;
  /** The path alone, still percent-encoded. */
  path: string;
  /** Whether errors are answered in the API's envelope. */
  api: boolean;
  /** Whether only the framework generates such paths; it would route some of them past the guard to the API. */
  inner: boolean;
  /** If false, the response is 400, whatever the path. */
  sound: boolean;
}

/** Longer than any of our targets; the parser's own limit is 16 KiB for all headers together. */
const MAX_LENGTH = 4096;

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const API = /^[/\\]+api(?:[/?\\]|$)/;
const INNER = /^\/_next\/data(?:\/|$)/i;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const CONTROL = /[\0-\x1f\x7f\\]/;
const NOT_ALLOWED = /[^\x21-\x7e]|[#\\]/;

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Splits and checks a request target. Unsound: anything but an absolute path, malformed percent-encoding, control
 * characters, `//`, backslashes, and dot segments, for which a router and a URL parser would see different paths.
 */
export function parseRequestTarget(raw: string): RequestTarget {
  const url = raw.replace(ORIGIN, "") || "/";
  const path = url.split("?", 1)[0] ?? "";
  const decoded = decode(path);
  const readable = decoded ?? path;
  const api = !url.startsWith("/") || API.test(readable);
  const sound =
    url.startsWith("/") &&
    url.length <= MAX_LENGTH &&
    decoded !== undefined &&
    !NOT_ALLOWED.test(url) &&
    !readable.includes("//") &&
    !CONTROL.test(readable) &&
    !DOT_SEGMENT.test(readable);
  return { url, path, api, inner: INNER.test(readable), sound };
}
