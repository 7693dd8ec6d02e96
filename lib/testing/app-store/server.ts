import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jwtVerify } from "jose";
import { AppleBooks, AppleError } from "./books";

/** A failure of the next matching request. `lost`: the server executes the request, but its response never arrives. */
interface Fault {
  at: RegExp;
  how: { status: number; headers?: Record<string, string>; detail?: string } | "lost" | "unheard" | "half";
}

export interface AppleServer {
  url: string;
  /** The accepted key, in App Store Connect's format. */
  key: { issuerId: string; keyId: string; privateKey: string };
  books: AppleBooks;
  /** Every request, as `GET /v1/...`. */
  received: string[];
  /** Faults of the next requests; each is used once. */
  faults: Fault[];
  /** Resources on a page. */
  pageSize: number;
  /** Whether the key was revoked. */
  revoked: boolean;
  stop(): Promise<void>;
}

/** A key pair in App Store Connect's format. */
export function makeAppleKey(): { privateKey: string; publicKey: KeyObject } {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const privateKey = String(pair.privateKey.export({ type: "pkcs8", format: "pem" }));
  return { privateKey, publicKey: pair.publicKey };
}

async function prove(server: AppleServer, publicKey: KeyObject, incoming: IncomingMessage): Promise<void> {
  const token = incoming.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const { keyId: kid, issuerId: issuer } = server.key;
  const checks = { issuer, audience: "appstoreconnect-v1", algorithms: ["ES256"] };
  const proven = await jwtVerify(token, publicKey, checks).catch(() => undefined);
  const { iat = 0, exp = Number.POSITIVE_INFINITY } = proven?.payload ?? {};
  const sound = proven?.protectedHeader.kid === kid && exp - iat <= 20 * 60;
  if (!sound || server.revoked) throw new AppleError(401, "Provide a properly configured and signed token.");
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return text;
}

/** The response to a request: an object, or the text of a file. */
function perform(server: AppleServer, incoming: IncomingMessage, body: string): object | string {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", server.url);
  if (incoming.method === "POST") return { data: server.books.create(pathname, JSON.parse(body)) };
  if (pathname.endsWith("/values")) return server.books.file(pathname);
  const all = server.books.list(pathname);
  const from = Number(searchParams.get("cursor") ?? 0);
  const end = from + server.pageSize;
  const next = end < all.length ? { next: `${server.url}${pathname}?cursor=${end}&limit=200` } : {};
  return { data: all.slice(from, end), links: { self: server.url, ...next } };
}

function answer(outgoing: ServerResponse, status: number, body: object | string, headers = {}): void {
  const type = typeof body === "string" ? "text/csv" : "application/json";
  outgoing.writeHead(status, { "Content-Type": type, ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}

const errorOf = (status: number, detail: string) => ({
  errors: [{ status: String(status), code: "ERROR", title: "An error", detail }],
});

/**
 * Starts the part of App Store Connect that concerns codes. It checks the token's signature and shape, enforces the
 * documented limits, returns lists in pages, and fails on demand.
 */
export async function startAppStoreConnect(): Promise<AppleServer> {
  const { privateKey, publicKey } = makeAppleKey();
  const key = { issuerId: "57246542-96fe-1a63-e053-0824d011072a", keyId: "2X9R4HXF34", privateKey };
  const apple: AppleServer = {
    url: "",
    key,
    books: new AppleBooks(),
    received: [],
    faults: [],
    pageSize: 2,
    revoked: false,
    stop: async () => undefined,
  };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const name = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    apple.received.push(name);
    const place = apple.faults.findIndex(({ at }) => at.test(name));
    const how = place < 0 ? undefined : apple.faults.splice(place, 1)[0]?.how;
    if (how === "unheard") return void incoming.socket.destroy();
    if (typeof how === "object") {
      return answer(outgoing, how.status, errorOf(how.status, how.detail ?? "On demand"), how.headers);
    }
    await prove(apple, publicKey, incoming);
    const result = perform(apple, incoming, body);
    if (how === "lost") return void incoming.socket.destroy();
    const whole = how === "half" && typeof result === "string" ? result.slice(0, result.length / 2) : result;
    answer(outgoing, incoming.method === "POST" ? 201 : 200, whole);
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => {
      const { status, message } = error instanceof AppleError ? error : new AppleError(500, String(error));
      answer(outgoing, status, errorOf(status, message));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  apple.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  apple.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return apple;
}
