import Negotiator from "negotiator";

/** Browsers send a few encodings and languages. The bounds limit the cost of longer lists: 15 KB took 5 ms. */
const [MAX_HEADER, MAX_LANGUAGES] = [500, 10];

/**
 * Whether the response may be gzipped; a missing header means no. Always no behind Next, whose requests have a
 * `nextUrl`: it drops `Content-Encoding` from a response and compresses the body once more.
 */
export function acceptsGzip(request: Request): boolean {
  return !("nextUrl" in request) && namesGzip(request.headers.get("accept-encoding"));
}

/** Whether an `Accept-Encoding` allows gzip. */
export function namesGzip(accepted: string | null | undefined): boolean {
  if (!accepted) return false;
  return allowedEncodings(accepted, ["gzip"]).length > 0;
}

/** The better of the encodings that an `Accept-Encoding` allows; undefined for none. */
export function chooseEncoding(accepted: string | null | undefined): "br" | "gzip" | undefined {
  if (!accepted) return undefined;
  const allowed = allowedEncodings(accepted, ["br", "gzip"]);
  return (["br", "gzip"] as const).find((encoding) => allowed.includes(encoding));
}

function allowedEncodings(accepted: string, ours: string[]): string[] {
  return new Negotiator({ headers: { "accept-encoding": accepted.slice(0, MAX_HEADER) } }).encodings(ours);
}

/** The first tags of an `Accept-Language`, most wanted first, without those of `q=0`. */
export function acceptedLanguages(header: string): string[] {
  const headers = { "accept-language": header.slice(0, MAX_HEADER) };
  return new Negotiator({ headers }).languages().slice(0, MAX_LANGUAGES);
}

/** A language tag, also in a phone's own form `fr_FR`; undefined for a malformed one. */
export function parseTag(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text.replaceAll("_", "-"));
  } catch {
    return undefined;
  }
}
