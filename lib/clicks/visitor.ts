import { createHmac } from "node:crypto";

/** Half of SHA-256: enough to tell a day's visitors apart, and half the index. */
const BYTES = 16;

/** The visitor of one day and metacode, as a value that leads back to nobody once the day's salt is gone. */
export function visitorHash(salt: Buffer, address: string, userAgent: string, metacode: string): Buffer {
  const text = [address, userAgent, metacode].join("\0");
  return createHmac("sha256", salt).update(text).digest().subarray(0, BYTES);
}
