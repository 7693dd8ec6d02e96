import Negotiator from "negotiator";

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
  return new Negotiator({ headers: { "accept-encoding": accepted } }).encodings(["gzip"]).length > 0;
}

/** The better of the encodings that an `Accept-Encoding` allows; undefined for none. */
export function chooseEncoding(accepted: string | null | undefined): "br" | "gzip" | undefined {
  if (!accepted) return undefined;
  const allowed = new Negotiator({ headers: { "accept-encoding": accepted } }).encodings(["br", "gzip"]);
  return (["br", "gzip"] as const).find((encoding) => allowed.includes(encoding));
}

/** The tags of an `Accept-Language`, most wanted first, without those of `q=0`. */
export function acceptedLanguages(header: string): string[] {
  return new Negotiator({ headers: { "accept-language": header } }).languages();
}
