/**
 * A page of ours as a response: never stored, never listed, in nobody's frame. `policy` is its
 * Content-Security-Policy; the address it came from is told to no other site.
 */
export function htmlResponse(
  status: number,
  html: string | Buffer<ArrayBuffer>,
  policy: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": policy,
      "X-Robots-Tag": "noindex",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      ...headers,
    },
  });
}

/** The answer to HEAD: what GET would say, without the page. */
export function withoutBody(response: Response): Response {
  return new Response(null, { status: response.status, headers: response.headers });
}

/** Handlers for the methods that a page does not answer: 405, OPTIONS 204, both with `Allow`. */
export function pageMethods(allow: string) {
  const refuse = () =>
    new Response("Method Not Allowed\n", {
      status: 405,
      headers: { Allow: allow, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  const describe = () => new Response(null, { status: 204, headers: { Allow: allow } });
  return { OPTIONS: describe, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse };
}
