import { isServed } from "@/lib/domains/is-served";
import { pageMethods } from "@/lib/http/html";
import { textResponse } from "@/lib/http/text";
import { log } from "@/lib/log";

/** What a proxy asks before it gets a certificate for `?domain=`: 200, or 404 for a host that nobody proved. */
export async function GET(request: Request): Promise<Response> {
  const domain = new URL(request.url).searchParams.get("domain") ?? "";
  try {
    return (await isServed(domain)) ? textResponse(200, "Served here") : textResponse(404, "Not served here");
  } catch (error) {
    log().error({ err: error }, "whether a domain is served could not be looked up");
    return textResponse(503, "Try again shortly", { "Retry-After": "5" });
  }
}

export const { OPTIONS, POST, PUT, PATCH, DELETE } = pageMethods("GET, OPTIONS");
