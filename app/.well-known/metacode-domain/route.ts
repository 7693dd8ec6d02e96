import { log } from "@/lib/platform/log";
import { appOfHost, isServedHost } from "@/lib/tenants/domains/hosts";
import { pageMethods, textResponse } from "@/lib/web/http/responses";

/**
 * Tells a proxy whether to request a certificate for `?domain=`: 200, or 404 for a host that no app has verified. Always 404
 * on an app's own domain, so that it reveals no other app's domain.
 */
export async function GET(request: Request): Promise<Response> {
  const domain = new URL(request.url).searchParams.get("domain") ?? "";
  try {
    const owner = await appOfHost(request.headers.get("host"));
    return owner === undefined && (await isServedHost(domain))
      ? textResponse(200, "Served here")
      : textResponse(404, "Not served here");
  } catch (error) {
    log().error({ err: error }, "a domain could not be looked up");
    return textResponse(503, "Try again shortly", { "Retry-After": "5" });
  }
}

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, OPTIONS");
