import * as redeem from "@/app/api/referee-redeem/route";
import * as referrer from "@/app/api/referrer/route";
import * as claim from "@/app/api/referrer-claim/route";
import type { Handlers } from "@/lib/http/route";
import { expectDocumented } from "@/lib/testing/documented";

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape an answer has
  body: any;
}

const ROUTES: Record<string, Handlers> = { referrer, "referrer-claim": claim, "referee-redeem": redeem };

/** Calls an endpoint's handler as either mount does, with a JSON body and a key; the answer must be a documented one. */
export async function post(
  path: string,
  body: unknown,
  key: string | undefined,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const request = new Request(`http://localhost:3000/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { "x-api-key": key }), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const handlers = ROUTES[path];
  if (!handlers) throw new Error(`no such endpoint: ${path}`);
  const reply = await readReply(await handlers.POST(request, { params: Promise.resolve({}) }));
  return expectDocumented("POST", request.url, reply);
}

/** What a test wants of an answer. */
export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** The three endpoints of one app, by what they do. */
export function clientOf(key: string) {
  return {
    referrer: (uid: string, metadata?: unknown) => post("referrer", { uid, metadata }, key),
    claim: (uid: string, headers = {}) => post("referrer-claim", { uid }, key, headers),
    redeem: (referee_uid: string, metacode: string, platform = "ios", extra = {}, headers = {}) =>
      post("referee-redeem", { referee_uid, metacode, platform, ...extra }, key, headers),
  };
}
