import { createHash } from "node:crypto";
import { UUID } from "uuidv7";
import type { Visit } from "@/lib/clicks/buffer";

/**
 * The id of a visitor's click on a referrer's page. Made from what tells the visitor apart, which holds for one day, so
 * that every process gives the same page the same id, before anything is stored. Its time is the beginning of the day,
 * UTC.
 */
export function clickId(visit: Visit, now = new Date()): string {
  const hash = createHash("sha256")
    .update(visit.appId)
    .update(visit.referrerId)
    .update(visit.visitor)
    .digest();
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const randA = hash.readUInt16BE(0) & 0xfff;
  const randBHi = hash.readUInt32BE(2) & 0x3fffffff;
  return UUID.fromFieldsV7(day, randA, randBHi, hash.readUInt32BE(6)).toString();
}
