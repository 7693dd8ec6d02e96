import type { Db } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import { rateOf, refuse } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { findEndedKey } from "@/lib/tenants/api-keys/refusals";
import { type KeyRecord, verifyKey } from "@/lib/tenants/api-keys/verify";
import { clientAddress } from "@/lib/web/http/client-address";
import type { ApiExchange } from "@/lib/web/http/route";

/**
 * Returns the key of a request. Throws UNAUTHORIZED with the same message for every reason. Each failure counts against the
 * caller's address, and over its limit this throws RATE_LIMITED. A key that has ended still names its app, whose request log
 * lists the refusal.
 */
export async function authenticate(exchange: ApiExchange, db: Db): Promise<KeyRecord> {
  const text = exchange.request.headers.get("x-api-key");
  const record = await verifyKey(db, text);
  if (record) return record;
  await failedAttempt(exchange);
  exchange.key = await findEndedKey(db, text);
  throw new AppError("UNAUTHORIZED");
}

/** Counts a failed authentication against the caller's address. Throws RATE_LIMITED over the limit. */
export async function failedAttempt(exchange: ApiExchange): Promise<void> {
  const decision = await limits().ip(clientAddress(exchange.request));
  if (!decision.allowed) refuse(decision, "Too many requests without valid credentials from this address");
  exchange.rate = () => rateOf(decision);
}
