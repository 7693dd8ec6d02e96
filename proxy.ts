import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { fromOurPage } from "@/lib/session/origin";
import {
  contentSecurityPolicy,
  NONCE_HEADER,
  PATH_HEADER,
  securityHeaders,
} from "@/lib/session/page-headers";

/**
 * Gives every page its security headers and a nonce. It is never the lock: pages and actions check the session, the
 * membership and the origin themselves.
 */
export function proxy(request: NextRequest): NextResponse {
  if (request.method === "POST" && !fromOurPage(request.headers)) return refuseForeignPage();
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set(NONCE_HEADER, nonce);
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  // The framework reads the nonce for its own scripts from here.
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(securityHeaders())) response.headers.set(name, value);
  return response;
}

function refuseForeignPage(): NextResponse {
  return new NextResponse("This form was not sent from a page of this site", {
    status: 403,
    headers: { "Content-Type": "text/plain; charset=utf-8", ...securityHeaders() },
  });
}

export const config = {
  // The framework keeps a body for the proxy in memory, up to 10 MB, and cuts it there: uploads of files pass by, and
  // their own frame checks where they come from. The preview of the landing page and the API reference have policies of their own.
  matcher:
    "/((?!api(?:/|$)|_next/static/|r/|\\.well-known/|docs/api(?:/|$)|dashboard/apps/[^/]+/(?:codes/import/(?:check|store|refused)|campaigns/landing)$).*)",
};
