import * as redeem from "@/app/api/referee-redeem/route";
import * as referrer from "@/app/api/referrer/route";
import * as claim from "@/app/api/referrer-claim/route";
import { expectDocumented } from "@/lib/testing/documented";
import type { RouteHandlers } from "@/lib/web/http/route";

export interface ApiReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  body: any;
}

const ROUTES: Record<string, RouteHandlers> = { referrer, "referrer-claim": claim, "referee-redeem": redeem };

/** Calls an endpoint's handler, as both mounts do, with a JSON body and a key. Fails on an undocumented response. */
export async function postToApi(
  path: string,
  body: unknown,
  key: string | undefined,
  headers: Record<string, string> = {},
): Promise<ApiReply> {
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

/** The parts of a response that tests look at. */
export async function readReply(response: Response): Promise<ApiReply> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** The three endpoints of an app as functions. */
export function clientOf(key: string) {
  return {
    referrer: (uid: string, metadata?: unknown) => postToApi("referrer", { uid, metadata }, key),
    claim: (uid: string, headers = {}, extra = {}) =>
      postToApi("referrer-claim", { uid, ...extra }, key, headers),
    redeem: (referee_uid: string, metacode: string, platform = "ios", extra = {}, headers = {}) =>
      postToApi("referee-redeem", { referee_uid, metacode, platform, ...extra }, key, headers),
  };
}
