import { uuidv7 } from "uuidv7";
import { observeRequest } from "@/lib/outward/metrics/requests";
import { requestBuffer } from "@/lib/outward/request-log/buffer";
import { storablePath } from "@/lib/outward/request-log/path";
import type { CallerKey, LoggedRequest, RequestSubject } from "@/lib/outward/request-log/pending";
import { AppError, type RateState } from "@/lib/platform/errors";
import { wakeQueue } from "@/lib/platform/jobs/queue";
import { rateOf } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { log, requestLogger } from "@/lib/platform/log";
import { annotateSpan } from "@/lib/platform/tracing";
import { apiHeaders, errorAnswer, type RouteAnswer, toAppError } from "@/lib/web/http/answer";
import { clientAddress } from "@/lib/web/http/client-address";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

interface RouteContext {
  params: Promise<Record<string, string | string[]>>;
  /** The path as our server mounts it; Next passes none. */
  route?: string;
}

/** The state of one request in the frame. Steps add what the headers and the log line need. */
export interface ApiExchange {
  readonly request: Request;
  readonly requestId: string;
  readonly params: Record<string, string | string[]>;
  /** Numbers for the rate-limit headers; the limit of the caller's address where no step sets them. */
  rate?: () => RateState;
  /** Fields of the log line that identify the caller. */
  caller?: Record<string, string>;
  /**
   * The caller's key, or the connection of a refused delivery: its requests are listed and counted once they are answered.
   */
  key?: CallerKey | undefined;
  /** The person whom the input names. */
  subject?: RequestSubject | undefined;
}

export type RouteRun = (exchange: ApiExchange) => Promise<RouteAnswer>;
type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;
export type RouteHandlers = Record<Method, RouteHandler>;

/**
 * The frame of every route below `/api`: 405 and OPTIONS, the envelope, the rate-limit headers, the request id and
 * one log line. The same handlers run under `next start` and in our server.
 */
export function route(runs: Partial<Record<Method, RouteRun>>): RouteHandlers {
  const allow = [...Object.keys(runs), "OPTIONS"].join(", ");
  const refuse: RouteRun = async () => {
    throw new AppError("METHOD_NOT_ALLOWED", `Method not allowed, use ${allow}`);
  };
  const options: RouteRun = async () => ({ status: 204 });
  const handler = (method: Method): RouteHandler => {
    const run = runs[method] ?? (method === "OPTIONS" ? options : refuse);
    const extra = runs[method] ? undefined : { Allow: allow };
    return (request, context) => respond(method, run, request, context, extra);
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler(method)])) as RouteHandlers;
}

async function respond(
  method: Method,
  run: RouteRun,
  request: Request,
  context: RouteContext,
  extra: Record<string, string> | undefined,
): Promise<Response> {
  const started = performance.now();
  const exchange: ApiExchange = { request, requestId: uuidv7(), params: await context.params };
  annotateSpan({ "metacode.request_id": exchange.requestId });
  let failure: AppError | undefined;
  let answer: RouteAnswer;
  try {
    answer = await run(exchange);
    // A change may have emitted events.
    if (method === "POST") wakeQueue("webhooks");
  } catch (error) {
    failure = toAppError(error);
    answer = errorAnswer(failure, exchange.requestId);
  }
  const rate = failure?.rate ?? exchange.rate?.() ?? (await addressRate(request));
  const ms = performance.now() - started;
  const line = logLine(method, exchange, answer.status, failure, ms);
  observeRequest({ route: context.route, method, status: answer.status, error: failure?.code, ms });
  const sent = answer.text ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
  const body = method === "HEAD" ? null : sent;
  const headers = { ...apiHeaders(exchange.requestId, rate), ...extra, ...answer.headers };
  const response = new Response(body, { status: answer.status, headers });
  // Responses without a body, as for HEAD and 204, have no type either.
  if (body === null) response.headers.delete("Content-Type");
  for (const cookie of answer.cookies ?? []) response.headers.append("Set-Cookie", cookie);
  const details = { message: failure?.message, subject: exchange.subject };
  if (exchange.key) requestBuffer().add(exchange.key, line, details);
  return response;
}

async function addressRate(request: Request): Promise<RateState> {
  const decision = await limits().peekIp(clientAddress(request));
  return rateOf(decision);
}

function logLine(
  method: string,
  exchange: ApiExchange,
  status: number,
  failure: AppError | undefined,
  ms: number,
): LoggedRequest {
  const line = {
    request_id: exchange.requestId,
    method,
    path: storablePath(requestPath(exchange.request.url)),
    status,
    error: failure?.code,
    ms: Math.round(ms * 10) / 10,
    ...exchange.caller,
  };
  if (status >= 500 && failure?.cause) log().error({ ...line, err: failure.cause }, "request failed");
  else requestLogger().info(line, "request");
  return line;
}

/** The path without the query, which may hold secrets. Cheaper than `new URL`. */
function requestPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return url.slice(start, end === -1 ? undefined : end);
}
