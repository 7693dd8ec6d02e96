import { createHmac, hkdfSync } from "node:crypto";
import { env } from "@/lib/env";

/** A key of its own, so that nothing else the service signs tells anything about it. */
function erasureKey(): Buffer {
  const { AUTH_SECRET } = env();
  if (!AUTH_SECRET) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return Buffer.from(hkdfSync("sha256", AUTH_SECRET, "", "metacode erased person", 32));
}

/** The keyed hash of a uid in one app: nobody without the service's secret can try uids against it. */
export function uidHash(appId: string, uid: string): Buffer {
  return createHmac("sha256", erasureKey()).update(`${appId}\n${uid}`).digest();
}

/** What stands in place of an erased person's uid. The same each time, so that the rules on uids still hold. */
export function pseudonymOf(hash: Buffer): string {
  return `erased:${hash.toString("base64url")}`;
}
