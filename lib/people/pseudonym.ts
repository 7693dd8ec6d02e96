import { createHmac, hkdfSync } from "node:crypto";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";

/** A key of its own, so that nothing else the service signs tells anything about it. Made once: redeem needs it. */
function erasureKey(): Buffer | undefined {
  const { AUTH_SECRET } = env();
  return shared("people.erasure-key", () =>
    AUTH_SECRET ? Buffer.from(hkdfSync("sha256", AUTH_SECRET, "", "metacode erased person", 32)) : undefined,
  );
}

function hashUnder(key: Buffer, appId: string, uid: string): Buffer {
  return createHmac("sha256", key).update(`${appId}\n${uid}`).digest();
}

/** The keyed hash of a uid in one app: nobody without the service's secret can try uids against it. */
export function uidHash(appId: string, uid: string): Buffer {
  const key = erasureKey();
  if (!key) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return hashUnder(key, appId, uid);
}

/** What stands in place of an erased person's uid. The same each time, so that the rules on uids still hold. */
export function pseudonymOf(hash: Buffer): string {
  return `erased:${hash.toString("base64url")}`;
}

/** The pseudonym that a uid would have; null where nobody can have been erased for want of a secret. */
export function pseudonymIn(appId: string, uid: string): string | null {
  const key = erasureKey();
  return key ? pseudonymOf(hashUnder(key, appId, uid)) : null;
}
