import { createHash, createHmac, randomBytes } from "node:crypto";
import { UUID } from "uuidv7";
import { isoDay } from "@/lib/contract/format";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { singleton } from "@/lib/platform/singleton";

/** A visitor of a referrer's page on one day. */
export interface PageVisitor {
  appId: string;
  referrerId: string;
  /** See {@link visitorHash}. */
  visitor: Buffer;
}

const SALT_BYTES = 32;

/** Half of SHA-256: enough to distinguish a day's visitors, in half the index. */
const HASH_BYTES = 16;

/** The salt as hexadecimal digits. */
const VISITOR_SALT = sqlFunction("visitor_salt", { day: "date", offer: "bytea" }).returns<string>();

/** Today's date, UTC, as `YYYY-MM-DD`. */
export const today = (): string => isoDay(Date.now());

/**
 * The random salt of a day, written by the first process that needs it and the same in all. A salt derived from a secret
 * would let the owner of the secret try out all addresses, years later; the sweep drops this row within 48 hours.
 */
export function dailySalt(db: Db, day: string): Promise<Buffer> {
  const salts = singleton("clicks.salts", () => new Map<string, Promise<Buffer>>());
  const cached = salts.get(day);
  if (cached) return cached;
  salts.clear();
  const loading = db
    .call(VISITOR_SALT, { day, offer: randomBytes(SALT_BYTES) })
    .then((digits) => Buffer.from(digits, "hex"));
  salts.set(day, loading);
  loading.catch(() => salts.delete(day));
  return loading;
}

/** The visitor of a day and a metacode, as a value that cannot be traced to an address once the day's salt is gone. */
export function visitorHash(salt: Buffer, address: string, userAgent: string, metacode: string): Buffer {
  const text = [address, userAgent, metacode].join("\0");
  return createHmac("sha256", salt).update(text).digest().subarray(0, HASH_BYTES);
}

/**
 * The id of a visitor's click on a referrer's page, derived from the visitor, so that for one day every process uses the
 * same id for the same page, before anything is stored. Its timestamp is the beginning of the day, UTC.
 */
export function clickId({ appId, referrerId, visitor }: PageVisitor): string {
  const hash = createHash("sha256").update(appId).update(referrerId).update(visitor).digest();
  const randA = hash.readUInt16BE(0) & 0xfff;
  const randBHi = hash.readUInt32BE(2) & 0x3fffffff;
  return UUID.fromFieldsV7(Date.parse(today()), randA, randBHi, hash.readUInt32BE(6)).toString();
}
