import { renderReference } from "@/components/reference/page";
import { referencePolicy } from "@/components/reference/policy";
import { chosenTheme } from "@/lib/web/http/preferences";
import { createNonce, htmlResponse, pageMethods, withoutBody } from "@/lib/web/http/responses";
import { listOperations } from "@/lib/web/openapi/operations";

/** The API reference, outside of Next because its viewer needs a policy of its own. */
export const GET = (request: Request): Response => {
  const nonce = createNonce();
  const html = renderReference({ operations: listOperations(), nonce, theme: chosenTheme(request) });
  return htmlResponse(200, html, referencePolicy(nonce), { "X-Robots-Tag": "all" });
};

export const HEAD = (request: Request): Response => withoutBody(GET(request));

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, HEAD, OPTIONS");
