import type { z } from "zod";
import type { Scope } from "@/lib/contract/api-key";
import type { Context, Meter } from "@/lib/platform/context";
import { database } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import { type Idempotency, idempotencyOf } from "@/lib/platform/idempotency/call";
import { limits } from "@/lib/platform/limits/limits";
import { refuse } from "@/lib/platform/limits/verdict";
import { parseInput } from "@/lib/platform/parse-input";
import { noteUse } from "@/lib/tenants/api-keys/uses";
import type { KeyRecord } from "@/lib/tenants/api-keys/verify";
import { meterFor } from "@/lib/tenants/quota/meter";
import type { RouteAnswer } from "@/lib/web/http/answer";
import { authenticate } from "@/lib/web/http/authenticate";
import { readJsonObject } from "@/lib/web/http/body";
import { clientAddress } from "@/lib/web/http/client-address";
import { type ApiExchange, type RouteHandlers, route } from "@/lib/web/http/route";

/** A verb's result; `replayed` when it is the stored response of an earlier request with the same idempotency key. */
interface VerbResult<Body> {
  body: Body;
  replayed?: boolean;
}

/** A verb's input, with the key under which its response is stored. */
type VerbInput<Input> = Input & { idempotency?: Idempotency | undefined };

interface Spec<Input extends object, Body> {
  /** Default `POST`. The input of a GET is its query with the path's parameters. */
  method?: "GET" | "POST";
  scope: Scope;
  input: z.ZodType<Input>;
  /**
   * Whether the verb counts the request in its own statement ({@link Meter.statement}); otherwise the frame counts
   * it first.
   */
  counts?: boolean;
  /** Reads `Idempotency-Key` and passes it to the verb as `input.idempotency`. */
  idempotent?: boolean;
  handle(ctx: Context, input: VerbInput<Input>): Promise<VerbResult<Body>>;
}

/**
 * An endpoint of the JSON API for keys. Checks in the contract's order (method, key, scope, quota, body, then the
 * verb), so a verb sees only valid input and never a `Response`.
 */
export function endpoint<Input extends object, Body>(spec: Spec<Input, Body>): RouteHandlers {
  return route({ [spec.method ?? "POST"]: (exchange: ApiExchange) => run(spec, exchange) });
}

async function run<Input extends object, Body>(
  spec: Spec<Input, Body>,
  exchange: ApiExchange,
): Promise<RouteAnswer> {
  const db = database();
  const key = await authenticate(exchange, db);
  const ctx = contextOf(exchange, key);
  exchange.rate = () => ctx.meter.state();
  exchange.caller = { app: key.app.id, key_id: key.id };
  exchange.key = key;
  noteUse(key);
  const burst = await limits().key(key.id);
  if (!key.scopes.includes(spec.scope)) await refuseScope(ctx.meter, spec.scope);
  if (!burst.allowed) refuse(burst, "Too many requests in a short time with this API key");
  const input = await readInput(spec, exchange, ctx.meter);
  if (!spec.counts) await ctx.meter.take();
  try {
    const { body, replayed } = await spec.handle(ctx, input);
    return { status: 200, body, ...(replayed && { headers: { "Idempotency-Replayed": "true" } }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) ctx.meter.refund();
    throw error;
  }
}

function contextOf(exchange: ApiExchange, key: KeyRecord): Context {
  const db = database();
  return {
    app: key.app,
    workspace: { id: key.workspaceId },
    actor: { kind: "api_key", id: key.id, scopes: key.scopes, address: clientAddress(exchange.request) },
    db,
    requestId: exchange.requestId,
    meter: meterFor(db, key.app.id, key.workspaceId, key.quota),
  };
}

/** A refused scope counts like every request with a valid key, but a used-up quota does not hide the reason. */
async function refuseScope(meter: Meter, scope: Scope): Promise<never> {
  await meter.take().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
  throw new AppError("FORBIDDEN", `This API key does not have the scope ${scope}`);
}

/** A bad body counts against the quota, so a caller without quota gets RATE_LIMITED instead of VALIDATION_ERROR. */
async function readInput<Input extends object>(
  spec: Spec<Input, unknown>,
  exchange: ApiExchange,
  meter: Meter,
): Promise<VerbInput<Input>> {
  const { request } = exchange;
  try {
    if (spec.method === "GET")
      return parseInput<VerbInput<Input>>(spec.input, { ...queryOf(request.url), ...exchange.params });
    const input = parseInput(spec.input, await readJsonObject(request));
    if (!spec.idempotent) return input;
    return { ...input, idempotency: idempotencyOf(request.headers.get("idempotency-key"), input) };
  } catch (error) {
    await meter.take();
    throw error;
  }
}

function queryOf(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}
