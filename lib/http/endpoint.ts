import type { z } from "zod";
import { type KeyRecord, noteUse } from "@/lib/api-keys/record";
import type { Context } from "@/lib/context";
import type { Scope } from "@/lib/contract/scopes";
import { database } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Answer } from "@/lib/http/answer";
import { authenticate } from "@/lib/http/authenticate";
import { readJsonObject } from "@/lib/http/body";
import { clientAddress } from "@/lib/http/client-address";
import { type Exchange, type Handlers, route } from "@/lib/http/route";
import { type Idempotency, idempotencyOf } from "@/lib/idempotency/key";
import { limits } from "@/lib/limits/limits";
import { refuse } from "@/lib/limits/refuse";
import { parseInput } from "@/lib/parse-input";
import { type Meter, meterFor } from "@/lib/quota/meter";

/** What a verb may return beside its result: that the answer was kept under an idempotency key. */
interface Outcome<Body> {
  body: Body;
  replayed?: boolean;
}

/** The verb's input, with the key under which its answer is kept. */
type Asked<Input> = Input & { idempotency?: Idempotency | undefined };

interface Spec<Input extends object, Body> {
  /** `POST` unless said otherwise. What a GET is validated by is its query and the path's parameters. */
  method?: "GET" | "POST";
  scope: Scope;
  input: z.ZodType<Input>;
  /** The verb counts the request in its own statement ({@link Meter.statement}); otherwise the frame does, before it. */
  counts?: boolean;
  /** Reads `Idempotency-Key` and hands it to the verb as `input.idempotency`. */
  idempotent?: boolean;
  handle(ctx: Context, input: Asked<Input>): Promise<Outcome<Body>>;
}

/**
 * An endpoint of the JSON API for keys: checks in the contract's order (method, key, scope, quota, body, then the
 * verb), so that a verb sees only a valid input and never a `Response`.
 */
export function endpoint<Input extends object, Body>(spec: Spec<Input, Body>): Handlers {
  return route({ [spec.method ?? "POST"]: (exchange: Exchange) => run(spec, exchange) });
}

async function run<Input extends object, Body>(spec: Spec<Input, Body>, exchange: Exchange): Promise<Answer> {
  const db = database();
  const key = await authenticate(exchange, db);
  const ctx = contextOf(exchange, key);
  exchange.rate = () => ctx.meter.state();
  exchange.who = { app: key.app.id, key_id: key.id };
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

function contextOf(exchange: Exchange, key: KeyRecord): Context {
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

/** A bad body counts, and is told only to a caller who still has quota. */
async function readInput<Input extends object>(
  spec: Spec<Input, unknown>,
  exchange: Exchange,
  meter: Meter,
): Promise<Asked<Input>> {
  const { request } = exchange;
  try {
    if (spec.method === "GET")
      return parseInput<Asked<Input>>(spec.input, { ...queryOf(request.url), ...exchange.params });
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
