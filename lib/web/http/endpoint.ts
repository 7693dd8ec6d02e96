import { z } from "zod";
import type { Scope } from "@/lib/contract/api-key";
import { platformField, uidField } from "@/lib/contract/fields";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { RequestSubject } from "@/lib/outward/request-log/pending";
import { database } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import { type Idempotency, idempotencyOf } from "@/lib/platform/idempotency/key";
import { addressBucket } from "@/lib/platform/limits/address";
import { limits } from "@/lib/platform/limits/limits";
import { parseInput } from "@/lib/platform/parse-input";
import { spendBudget } from "@/lib/tenants/api-keys/budget";
import { refuseByKey } from "@/lib/tenants/api-keys/refusals";
import { noteUse } from "@/lib/tenants/api-keys/uses";
import type { KeyRecord } from "@/lib/tenants/api-keys/verify";
import type { Context } from "@/lib/tenants/context";
import { meterFor } from "@/lib/tenants/quota/meter";
import { languageHeaders, type RouteAnswer } from "@/lib/web/http/answer";
import { authenticate } from "@/lib/web/http/authenticate";
import { readJsonObject } from "@/lib/web/http/body";
import { nearestLanguage } from "@/lib/web/http/choose-language";
import { clientAddress } from "@/lib/web/http/client-address";
import { type ApiExchange, type RouteHandlers, route } from "@/lib/web/http/route";

/** A verb's result; `replayed` when it is the stored response of an earlier request with the same idempotency key. */
interface VerbResult<Body> {
  body: Body;
  replayed?: boolean;
  /** The language of the body's texts, if the verb has texts for end users. */
  language?: LandingLanguage;
}

/** A verb's input, with the key under which its response is stored and the language that the caller named. */
type VerbInput<Input> = Input & {
  idempotency?: Idempotency | undefined;
  language?: LandingLanguage | undefined;
};

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
  /** Reads `Accept-Language` and passes the language to the verb as `input.language`. */
  localized?: boolean;
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
  const burst = await limits().key(key.limitsId);
  if (!key.scopes.includes(spec.scope)) return refuseScope(ctx, key, spec.scope);
  if (!burst.allowed) refuseByKey(ctx, "burst", burst, "Too many requests in a short time with this API key");
  const returnBudget = await spendBudget(ctx, key);
  try {
    const input = await readInput(spec, exchange, ctx);
    if (!spec.counts) await ctx.meter.take();
    const { body, replayed, language } = await spec.handle(ctx, input);
    const headers = {
      ...(replayed && { "Idempotency-Replayed": "true" }),
      ...languageHeaders(language),
    };
    return { status: 200, body, headers };
  } catch (thrown) {
    const error = await boundRefusedScope(ctx, thrown);
    if (isUncounted(error)) {
      ctx.meter.refund();
      returnBudget();
    }
    throw error;
  }
}

/** The fields by which a refused body may still name a person. An invalid platform is dropped: the message names it. */
const namedIn = z
  .object({
    uid: uidField("uid").optional().catch(undefined),
    referee_uid: uidField("referee_uid").optional().catch(undefined),
    metacode: z.string().optional().catch(undefined),
    platform: platformField.optional().catch(undefined),
  })
  .transform(({ referee_uid: refereeUid, ...named }) => ({ ...named, refereeUid }));

/** The person whom a request names. */
function subjectOf(input: object): RequestSubject | undefined {
  const { refereeUid, uid = refereeUid, metacode, platform } = input as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return typeof uid === "string" ? { uid, metacode: text(metacode), platform: text(platform) } : undefined;
}

/** Server errors and rate-limited requests do not count. */
const isUncounted = (error: unknown): boolean =>
  !(error instanceof AppError) || error.status >= 500 || error.code === "RATE_LIMITED";

function contextOf(exchange: ApiExchange, key: KeyRecord): Context {
  const db = database();
  const { id, scopes, limitsId, addressCap } = key;
  return {
    app: key.app,
    workspace: { id: key.workspaceId },
    actor: { kind: "api_key", id, scopes, limitsId, addressCap, address: clientAddress(exchange.request) },
    db,
    requestId: exchange.requestId,
    meter: meterFor(db, key.app.id, key.workspaceId, key.quota),
  };
}

/** Refuses a key without the scope. The request counts like any other, but no used-up quota or budget hides the reason. */
async function refuseScope(ctx: Context, key: KeyRecord, scope: Scope): Promise<never> {
  const reason = new AppError("FORBIDDEN", `This API key does not have the scope ${scope}`);
  await boundInvalid(ctx, reason);
  try {
    await spendBudget(ctx, key);
    await ctx.meter.take();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw reason;
}

/** Counts a verb's FORBIDDEN, for a scope that only this input needs, as invalid. Returns the error, or RATE_LIMITED. */
async function boundRefusedScope(ctx: Context, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError && error.code === "FORBIDDEN")) return error;
  return boundInvalid(ctx, error).then(
    () => error,
    (limited: unknown) => limited,
  );
}

/**
 * Invalid requests count against the quota, so they have their own limit, by key and address, to stop one caller from
 * using up the month. Throws RATE_LIMITED with the reason in its message.
 */
async function boundInvalid(ctx: Context, reason: AppError): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "api_key") return;
  const decision = await limits().invalidRequest(`${actor.limitsId} ${addressBucket(actor.address)}`);
  if (decision.allowed) return;
  const message = `Too many invalid requests from this address. The reason for this one: ${reason.message}`;
  refuseByKey(ctx, "invalid_requests", decision, message);
}

/** A bad body counts against the quota, so a caller without quota gets RATE_LIMITED instead of VALIDATION_ERROR. */
async function readInput<Input extends object>(
  spec: Spec<Input, unknown>,
  exchange: ApiExchange,
  ctx: Context,
): Promise<VerbInput<Input>> {
  const { request } = exchange;
  let body: { metacode?: unknown } = {};
  try {
    if (spec.method === "GET")
      return parseInput<VerbInput<Input>>(spec.input, { ...queryOf(request.url), ...exchange.params });
    body = await readJsonObject(request);
    const input = parseInput(spec.input, body);
    // The metacode as it was typed: parsing turns text that cannot be a metacode into an empty text.
    exchange.subject = subjectOf({ ...input, ...("metacode" in input && { metacode: body.metacode }) });
    return {
      ...input,
      ...(spec.idempotent && {
        idempotency: idempotencyOf(request.headers.get("idempotency-key"), input),
      }),
      ...(spec.localized && { language: nearestLanguage(request.headers.get("accept-language")) }),
    };
  } catch (error) {
    // A refused body may still name the person, whom support then finds in the request log.
    exchange.subject = subjectOf(namedIn.safeParse(body).data ?? {});
    if (error instanceof AppError && error.status < 500) await boundInvalid(ctx, error);
    await ctx.meter.take();
    throw error;
  }
}

function queryOf(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}
