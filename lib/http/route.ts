import { uuidv7 } from "uuidv7";
import { AppError, type RateState } from "@/lib/errors";
import { type Answer, errorAnswer, toAppError } from "@/lib/http/answer";
import { clientAddress } from "@/lib/http/client-address";
import { apiHeaders } from "@/lib/http/headers";
import { limits } from "@/lib/limits/limits";
import { rateOf } from "@/lib/limits/refuse";
import { log, requestLog } from "@/lib/log";
import type { Answered, Asker } from "@/lib/requests/batch";
import { requestBuffer } from "@/lib/requests/buffer";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

interface RouteContext {
  params: Promise<Record<string, string | string[]>>;
}

/** One request on its way through the frame. Steps add what they learn for the headers and the log line. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly params: Record<string, string | string[]>;
  /** Numbers for the rate-limit headers; where no step sets them they tell the caller's per-IP limit. */
  rate?: () => RateState;
  /** Who asked, for the log line. */
  who?: Record<string, string>;
  /** The valid key that asked: its requests are listed and counted once they are answered. */
  key?: Asker;
}

export type Run = (exchange: Exchange) => Promise<Answer>;
export type Handler = (request: Request, context: RouteContext) => Promise<Response>;
export type Handlers = Record<Method, Handler>;

/**
 * The frame of every route below `/api`: 405 and OPTIONS, the envelope, the rate-limit headers, the request id and
 * one log line, so that no route can forget one of them. The same handlers run under `next start` and in our server.
 */
export function route(runs: Partial<Record<Method, Run>>): Handlers {
  const allow = [...Object.keys(runs), "OPTIONS"].join(", ");
  const refuse: Run = async () => {
    throw new AppError("METHOD_NOT_ALLOWED", `Method not allowed, use ${allow}`);
  };
  const options: Run = async () => ({ status: 204 });
  const handler = (method: Method): Handler => {
    const run = runs[method] ?? (method === "OPTIONS" ? options : refuse);
    const extra = runs[method] ? undefined : { Allow: allow };
    return (request, context) => exchange(method, run, request, context, extra);
  };
  return Object.fromEntries(METHODS.map((method) => [method, handler(method)])) as Handlers;
}

async function exchange(
  method: Method,
  run: Run,
  request: Request,
  context: RouteContext,
  extra: Record<string, string> | undefined,
): Promise<Response> {
  const started = performance.now();
  const one: Exchange = { request, requestId: uuidv7(), params: await context.params };
  let failure: AppError | undefined;
  let answer: Answer;
  try {
    answer = await run(one);
  } catch (error) {
    failure = toAppError(error);
    answer = errorAnswer(failure, one.requestId);
  }
  const rate = failure?.rate ?? one.rate?.() ?? (await addressRate(request));
  const told = logLine(method, one, answer.status, failure, performance.now() - started);
  const body = method === "HEAD" || answer.body === undefined ? null : JSON.stringify(answer.body);
  const headers = { ...apiHeaders(one.requestId, rate), ...extra, ...answer.headers };
  const response = new Response(body, { status: answer.status, headers });
  // HEAD and 204 have no body, and a body they do not have has no type.
  if (body === null) response.headers.delete("Content-Type");
  for (const cookie of answer.cookies ?? []) response.headers.append("Set-Cookie", cookie);
  if (one.key) requestBuffer().add(one.key, told, failure?.message);
  return response;
}

async function addressRate(request: Request): Promise<RateState> {
  const verdict = await limits().peekIp(clientAddress(request));
  return rateOf(verdict);
}

function logLine(
  method: string,
  one: Exchange,
  status: number,
  failure: AppError | undefined,
  ms: number,
): Answered {
  const line = {
    request_id: one.requestId,
    method,
    path: pathOf(one.request.url),
    status,
    error: failure?.code,
    ms: Math.round(ms * 10) / 10,
    ...one.who,
  };
  if (status >= 500 && failure?.cause) log().error({ ...line, err: failure.cause }, "request failed");
  else requestLog().info(line, "request");
  return line;
}

/** The path without the query, which may hold anything. Cheaper than `new URL`. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return url.slice(start, end === -1 ? undefined : end);
}
