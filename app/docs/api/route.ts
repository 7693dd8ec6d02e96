import { renderReference } from "@/components/reference/page";
import { policyOf } from "@/components/reference/policy";
import { htmlResponse, pageMethods, withoutBody } from "@/lib/http/html";
import { makeNonce } from "@/lib/http/nonce";
import { chosenTheme } from "@/lib/http/theme";
import { summary } from "@/lib/openapi/summary";

/** The API reference: a page of its own, because its viewer brings its own way of styling. */
export const GET = (request: Request): Response => {
  const nonce = makeNonce();
  const html = renderReference({ operations: summary(), nonce, theme: chosenTheme(request) });
  return htmlResponse(200, html, policyOf(nonce), { "X-Robots-Tag": "all" });
};

export const HEAD = (request: Request): Response => withoutBody(GET(request));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
