import { ERROR_HELP } from "@/lib/contract/error-help";
import type { SimulatedCause } from "@/lib/contract/simulator";
import { env } from "@/lib/platform/env";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";
import type { Journey } from "@/lib/web/simulator/journey";

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** The handlers of the endpoints; the application passes them in, because nothing in `lib` imports its routes. */
export interface JourneyHandlers {
  referrer: Handler;
  redeem: Handler;
  claim: Handler;
  provider: Handler;
  landing: Handler;
  click: Handler;
}

/** The end of a journey, with its cause. */
export class StepFailure extends Error {
  constructor(override readonly cause: SimulatedCause) {
    super(cause.why);
  }
}

/** The cause where a step finds the referrer of the first step gone. */
export const REFERRER_GONE: SimulatedCause = {
  why: "The referrer of this journey no longer exists, probably because the sandbox was reset.",
  todo: "Simulate the journey again.",
};

interface Sent {
  handler: Handler;
  method: "GET" | "POST";
  path: string;
  params?: Record<string, string>;
  headers?: Headers | Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Shown in place of the answer's text. */
  show?: (text: string) => string;
}

/** Characters of an answer that are shown. */
const MAX_SHOWN = 4_000;

/** Calls a handler as the server does, and adds request and answer to the step that runs. */
export async function sendTo(journey: Journey, sent: Sent): Promise<{ status: number; text: string }> {
  const { handler, method, path, params = {}, body, show = prettyJson } = sent;
  const headers = new Headers(sent.headers);
  const shown = [...headers].map(([name, value]) => `${name}: ${masked(name, value)}`);
  const { actor } = journey.ctx;
  if (actor.kind === "user") headers.set(CLIENT_ADDRESS_HEADER, addressToken() + actor.address);
  const request = new Request(env().APP_URL + path, { method, headers, ...(body !== undefined && { body }) });
  const started = performance.now();
  const response = await handler(request, { params: Promise.resolve(params) });
  const text = await response.text();
  const bodyText =
    body === undefined ? "" : prettyJson(typeof body === "string" ? body : new TextDecoder().decode(body));
  journey.step.exchanges.push({
    request: `${method} ${path}`,
    sent: [...shown, ...(bodyText ? ["", bodyText] : [])].join("\n"),
    status: response.status,
    answer: show(text).slice(0, MAX_SHOWN),
    ms: Math.round(performance.now() - started),
  });
  journey.changed();
  return { status: response.status, text };
}

/** Headers that prove nothing. Any other may hold a secret: each provider names its own. */
const OPEN = ["accept-language", "content-type", "user-agent"];

const masked = (name: string, value: string): string => (OPEN.includes(name) ? value : `…${value.slice(-4)}`);

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Calls an endpoint of the API with the journey's key. Fails the step with the cause of any refusal. */
export async function callEndpoint<Body>(
  journey: Journey,
  name: "referrer" | "redeem" | "claim",
  path: string,
  body: object,
): Promise<Body> {
  const { status, text } = await sendTo(journey, {
    handler: journey.handlers[name],
    method: "POST",
    path,
    headers: { "content-type": "application/json", "x-api-key": journey.key },
    body: JSON.stringify(body),
  });
  const answer = JSON.parse(text);
  if (status === 200) return answer;
  throw new StepFailure(causeOf(answer.error));
}

/** The cause of a refusal, as the request log explains it, with the message of the answer. */
function causeOf({ code, message }: { code: string; message: string }): SimulatedCause {
  const help = ERROR_HELP[code];
  if (!help) return { why: message, todo: "Open the request in the request log.", section: REQUESTS };
  return { why: `${message}. ${help.why}`, todo: help.todo, section: help.section ?? REQUESTS };
}

const REQUESTS = { path: "/requests", name: "Requests" };
