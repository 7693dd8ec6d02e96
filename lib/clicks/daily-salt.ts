import { randomBytes } from "node:crypto";
import type { Db } from "@/lib/db/client";
import { shared } from "@/lib/shared";

const BYTES = 32;

/** Today's date, UTC, as `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

/**
 * The random salt of a day, the same in every process: the first one to ask writes it. Derived from a secret it would
 * let whoever has the secret try out all addresses, years later; a row that the sweep drops after 48 hours does not.
 */
export function dailySalt(db: Db, day: string): Promise<Buffer> {
  const cached = shared("clicks.salts", () => new Map<string, Promise<Buffer>>());
  const found = cached.get(day);
  if (found) return found;
  cached.clear();
  const loading = db
    .call<string>("visitor_salt", [day, randomBytes(BYTES)])
    .then((digits) => Buffer.from(digits, "hex"));
  cached.set(day, loading);
  loading.catch(() => cached.delete(day));
  return loading;
}
