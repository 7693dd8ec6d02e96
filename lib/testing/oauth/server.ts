import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An account at the OAuth provider. */
interface OAuthAccount {
  id: number;
  name: string;
  email: string;
  verified: boolean;
}

export interface OAuthServer {
  url: string;
  /** The account that is signed in at the provider and consents to everything. */
  account: OAuthAccount;
  /** Claims to replace in the next tokens, such as the nonce or the issuer. */
  claims: Record<string, unknown>;
  stop(): Promise<void>;
}

interface Grant {
  challenge: string;
  nonce: string | null;
  redirect: string;
  client: string;
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function bodyOf(incoming: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return new URLSearchParams(text);
}

/** The key of the server, and tokens signed with it. */
function signer() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" };
  const sign = (claims: object) => {
    const head = `${base64url({ alg: "RS256", kid: "one" })}.${base64url(claims)}`;
    return `${head}.${createSign("RSA-SHA256").update(head).sign(privateKey, "base64url")}`;
  };
  return { jwk, sign };
}

/**
 * An OAuth and OpenID server that behaves as GitHub and Google do: it returns a code by redirect, and tokens for the code
 * once, if redirect address and PKCE verifier match.
 */
export async function startOAuthServer(account: OAuthAccount): Promise<OAuthServer> {
  const { jwk, sign } = signer();
  const grants = new Map<string, Grant>();
  const tokens = new Set<string>();
  const made: OAuthServer = { url: "", account, claims: {}, stop: async () => undefined };

  const authorize = (query: URLSearchParams): string => {
    const code = randomBytes(8).toString("hex");
    const redirect = query.get("redirect_uri") ?? "";
    grants.set(code, {
      redirect,
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce"),
      client: query.get("client_id") ?? "",
    });
    return `${redirect}?${new URLSearchParams({ code, state: query.get("state") ?? "" })}`;
  };

  const exchange = (form: URLSearchParams): object | undefined => {
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.challenge !== challenge || grant.redirect !== form.get("redirect_uri"))
      return undefined;
    const access_token = randomBytes(8).toString("hex");
    tokens.add(access_token);
    const now = Math.floor(Date.now() / 1000);
    const { id, name, email, verified } = made.account;
    const claims = { iss: made.url, aud: grant.client, iat: now, exp: now + 60, nonce: grant.nonce };
    const subject = { sub: String(id), name, email, email_verified: verified };
    const id_token = grant.nonce ? { id_token: sign({ ...claims, ...subject, ...made.claims }) } : {};
    return { access_token, token_type: "bearer", scope: "user:email", ...id_token };
  };

  const profile = (path: string, authorization = ""): object | undefined => {
    if (!tokens.has(authorization.replace("Bearer ", ""))) return undefined;
    const { id, name, email, verified } = made.account;
    if (path === "/user") return { id, login: "ann", name, email: "shown@elsewhere.example" };
    return [
      { email: "old@elsewhere.example", primary: false, verified: true },
      { email, primary: true, verified },
    ];
  };

  const discovery = () => ({
    issuer: made.url,
    authorization_endpoint: `${made.url}/authorize`,
    token_endpoint: `${made.url}/token`,
    jwks_uri: `${made.url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });

  const answer = async (incoming: IncomingMessage): Promise<object | undefined> => {
    const { pathname } = new URL(incoming.url ?? "/", made.url);
    if (pathname === "/token") return exchange(await bodyOf(incoming));
    if (pathname === "/.well-known/openid-configuration") return discovery();
    if (pathname === "/jwks") return { keys: [jwk] };
    return profile(pathname, incoming.headers.authorization);
  };

  const server = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", made.url);
    if (pathname === "/authorize") {
      return void outgoing.writeHead(302, { Location: authorize(searchParams) }).end();
    }
    const body = await answer(incoming);
    const status = body ? 200 : 400;
    outgoing.writeHead(status, { "Content-Type": "application/json" });
    outgoing.end(JSON.stringify(body ?? { error: "invalid_grant" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  made.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return made;
}
