import { createPrivateKey } from "node:crypto";
import { fail } from "@/lib/errors";

/** Checks that a text is a key as App Store Connect gives it: PKCS #8, elliptic, P-256. Throws VALIDATION_ERROR. */
export function checkPrivateKey(pem: string): void {
  const wrong = (): never =>
    fail("VALIDATION_ERROR", "privateKey is not a key of App Store Connect: paste the whole .p8 file", {
      field: "privateKey",
    });
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return;
  } catch {
    // The library's own words could hold a piece of what was pasted.
  }
  wrong();
}
