import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { log } from "@/lib/platform/log";
import { annotateStatus, traced } from "@/lib/platform/tracing";
import { MAX_JSON_BYTES } from "@/lib/web/http/body";
import { MAX_DELIVERY_BYTES } from "@/lib/web/http/provider-endpoint";
import { readBody } from "@/lib/web/server/body";
import { WRONG_HOST } from "@/lib/web/server/guard";
import { apiRefusal, sendRefusal } from "@/lib/web/server/refusal";
import type { RouteMatch, RouteModule } from "@/lib/web/server/table";

/** A request for a handler; the adapter takes a body that has been read already from `rawBody`. */
interface Call extends IncomingMessage {
  rawBody?: Buffer;
  match?: RouteMatch;
}

const INTERNAL = "The request could not be answered";

const listener = getRequestListener(
  (request, { incoming }) => {
    const { match, method } = incoming as Call;
    // An unknown path is a 404 for every method, even one that no module can export.
    const handler =
      match?.module[method as keyof RouteModule] ?? (match?.path ? undefined : match?.module.GET);
    return match && handler
      ? handler(request, { params: match.params, ...(match.path && { route: match.path }) })
      : methodNotAllowed(match, request);
  },
  { overrideGlobalObjects: false, autoCleanupIncoming: false, hostname: "localhost", errorHandler: onError },
);

/** Answers methods that no route module can export, such as TRACE; `Allow` comes from the route's own OPTIONS. */
async function methodNotAllowed(match: RouteMatch | undefined, request: Request): Promise<Response> {
  const options = await match?.module.OPTIONS?.(new Request(request.url, { method: "OPTIONS" }), {
    params: match.params,
  });
  const { status, headers, body } = apiRefusal("METHOD_NOT_ALLOWED", undefined, {
    Allow: options?.headers.get("allow") ?? Object.keys(match?.module ?? {}).join(", "),
  });
  return new Response(body, { status, headers });
}

function onError(error: unknown): Response {
  // The adapter refuses a host that `URL` would normalise, such as [0:0:0:0:0:0:0:1].
  const refused = error instanceof RequestError;
  if (!refused) log().error({ err: error }, INTERNAL);
  const { status, headers, body } = refused
    ? apiRefusal("VALIDATION_ERROR", WRONG_HOST)
    : apiRefusal("INTERNAL_ERROR");
  return new Response(body, { status, headers });
}

/** The bytes of a body to read: the route's limit, and one more by which the route sees that the body is too long. */
const limitOf = ({ path }: RouteMatch): number =>
  1 + (path?.startsWith("/api/providers/") ? MAX_DELIVERY_BYTES : MAX_JSON_BYTES);

/** Runs a mounted handler. Reads the body first, within a bound, so that a handler may simply await it. */
export async function answerFromRoute(
  incoming: Call,
  outgoing: ServerResponse,
  match: RouteMatch,
): Promise<void> {
  incoming.match = match;
  if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    const reading = readBody(incoming, limitOf(match));
    const body = reading instanceof Promise ? await reading : reading;
    if (body === "gone") return;
    if (body === "timeout") {
      outgoing.shouldKeepAlive = false;
      return sendRefusal(outgoing, apiRefusal("REQUEST_TIMEOUT"));
    }
    incoming.rawBody = body;
  }
  const { method = "GET", headers } = incoming;
  const route = match.path ?? "other";
  const options = {
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    traceparent: headers.traceparent as string | undefined,
  } as const;
  await traced(`${method} ${route}`, options, async () => {
    await listener(incoming, outgoing);
    annotateStatus(outgoing.statusCode, 500);
  });
}
