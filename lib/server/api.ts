import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { log } from "@/lib/log";
import { readBody } from "@/lib/server/body";
import { apiRefusal, send } from "@/lib/server/refusal";
import type { Match, RouteModule } from "@/lib/server/table";

/** A request on its way to a handler; `rawBody` is where the adapter looks for a body read already. */
interface Call extends IncomingMessage {
  rawBody?: Buffer;
  match?: Match;
}

const INTERNAL = "The request could not be answered";

const listener = getRequestListener(
  (request, { incoming }) => {
    const { match, method } = incoming as Call;
    const handler = match?.module[method as keyof RouteModule];
    return match && handler ? handler(request, { params: match.params }) : methodNotAllowed(match, request);
  },
  { overrideGlobalObjects: false, autoCleanupIncoming: false, hostname: "localhost", errorHandler: onError },
);

/** Only for the methods no route module knows, TRACE for one; the route itself says what it allows. */
async function methodNotAllowed(match: Match | undefined, request: Request): Promise<Response> {
  const options = await match?.module.OPTIONS?.(new Request(request.url, { method: "OPTIONS" }), {
    params: match.params,
  });
  const { status, headers, body } = apiRefusal("METHOD_NOT_ALLOWED", undefined, {
    Allow: options?.headers.get("allow") ?? Object.keys(match?.module ?? {}).join(", "),
  });
  return new Response(body, { status, headers });
}

function onError(error: unknown): Response {
  log().error({ err: error }, INTERNAL);
  const { status, headers, body } = apiRefusal("INTERNAL_ERROR");
  return new Response(body, { status, headers });
}

/** Runs a mounted handler. The body is read first and bounded, so a handler may simply await it. */
export async function answerFromRoute(incoming: Call, outgoing: ServerResponse, match: Match): Promise<void> {
  incoming.match = match;
  if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    const reading = readBody(incoming);
    const body = reading instanceof Promise ? await reading : reading;
    if (body === "gone") return;
    if (body === "timeout") {
      outgoing.shouldKeepAlive = false;
      return send(outgoing, apiRefusal("REQUEST_TIMEOUT"));
    }
    incoming.rawBody = body;
  }
  await listener(incoming, outgoing);
}
