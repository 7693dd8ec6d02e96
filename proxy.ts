import { type NextRequest, NextResponse } from "next/server";
import { createNonce } from "@/lib/web/http/responses";
import { fromOurPage } from "@/lib/web/session/access";
import {
  contentSecurityPolicy,
  NONCE_HEADER,
  PATH_HEADER,
  securityHeaders,
  transportHeaders,
} from "@/lib/web/session/page-headers";

/**
 * Gives every page its security headers and a nonce. Authorization does not depend on it: pages and actions check the
 * session, the membership and the origin themselves.
 */
export function proxy(request: NextRequest): NextResponse {
  if (request.method === "POST") {
    if (!fromOurPage(request.headers)) return refuse(403, "This form was not sent from a page of this site");
    if (!mayBeAction(request.headers)) return refuse(415, "Send a form as multipart/form-data");
  }
  const nonce = createNonce();
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set(NONCE_HEADER, nonce);
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  // Next reads the nonce for its own scripts from this header.
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  const standard = { ...securityHeaders(), ...transportHeaders(request.headers.get("host")) };
  for (const [name, value] of Object.entries(standard)) response.headers.set(name, value);
  return response;
}

/** Whether a POST may be an action: named in a header or, without scripts, in a multipart form. No page reads other bodies. */
function mayBeAction(headers: Headers): boolean {
  const type = headers.get("content-type");
  return headers.has("next-action") || !type || type.startsWith("multipart/form-data");
}

function refuse(status: number, text: string): NextResponse {
  return new NextResponse(text, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      ...securityHeaders(),
    },
  });
}

export const config = {
  // Next buffers up to 10 MB of a body for the proxy and cuts it there, so uploads bypass it and check their origin
  // themselves. The preview of the landing page has its own policy.
  matcher:
    "/((?!api(?:/|$)|_next/static/|r/[^/]+(?:/click|/image/[^/]+)?/?$|\\.well-known/(?:apple-app-site-association|assetlinks\\.json|metacode-domain)$|dashboard/apps/[^/]+/(?:codes/import/(?:check|store|refused)|campaigns/landing)$).*)",
};
