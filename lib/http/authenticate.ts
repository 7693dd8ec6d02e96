import type { KeyRecord } from "@/lib/api-keys/record";
import { verifyKey } from "@/lib/api-keys/verify";
import type { Db } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/http/client-address";
import type { Exchange } from "@/lib/http/route";
import { limits } from "@/lib/limits/limits";
import { rateOf, refuse } from "@/lib/limits/refuse";

/**
 * The key of a request, or UNAUTHORIZED with one message for every reason. Each failure counts against the caller's
 * address, and beyond its limit the answer is 429.
 */
export async function authenticate(exchange: Exchange, db: Db): Promise<KeyRecord> {
  const record = await verifyKey(db, exchange.request.headers.get("x-api-key"));
  if (record) return record;
  await failedAttempt(exchange);
  throw new AppError("UNAUTHORIZED");
}

/** Counts a failed authentication against the caller's address; throws RATE_LIMITED beyond the limit. */
export async function failedAttempt(exchange: Exchange): Promise<void> {
  const verdict = await limits().ip(clientAddress(exchange.request));
  if (!verdict.allowed) refuse(verdict, "Too many requests without valid credentials from this address");
  exchange.rate = () => rateOf(verdict);
}
