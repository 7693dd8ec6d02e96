import { pageMethods, withoutBody } from "@/lib/http/html";
import { textResponse } from "@/lib/http/text";
import { log } from "@/lib/log";

type Load = (host: string | null) => Promise<string>;

/**
 * The handlers of a file that phones read: exactly `application/json`, 200, no redirect, kept for 30 s by whoever
 * fetched it. Without a database 503, so that nobody keeps a file without apps.
 */
export function associationRoute(load: Load) {
  const get = async (request: Request): Promise<Response> => {
    try {
      return new Response(await load(request.headers.get("host")), {
        headers: {
          "Content-Type": "application/json",
          "Cache-Control": "public, max-age=30",
          Vary: "Host",
          "X-Content-Type-Options": "nosniff",
        },
      });
    } catch (error) {
      log().error({ err: error }, "a file for phones could not be made");
      return textResponse(503, "Try again shortly", { "Retry-After": "5" });
    }
  };
  const head = async (request: Request): Promise<Response> => withoutBody(await get(request));
  return { GET: get, HEAD: head, ...pageMethods("GET, HEAD, OPTIONS") };
}
