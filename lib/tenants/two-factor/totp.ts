import { Secret, TOTP } from "otpauth";
import { databaseNow } from "@/lib/platform/db/chunks";

/** Seconds during which one password is shown. */
const PERIOD = 30;

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** Past and future passwords that are accepted, for inaccurate clocks. */
const WINDOW = 1;

/** A secret for an authenticator, from the system's random source. */
export function generateTotpSecret(): Uint8Array {
  return new Secret({ size: SECRET_BYTES }).bytes;
}

function generator(secret: Uint8Array, account: string): TOTP {
  // Copied, because the library takes the buffer behind a view, which Buffers share.
  const bytes = Uint8Array.from(secret).buffer;
  return new TOTP({
    issuer: "Metacode",
    label: account,
    secret: new Secret({ buffer: bytes }),
    period: PERIOD,
  });
}

/** The secret in the forms that an authenticator accepts: an address for its camera, and text to type. */
export function setupOf(secret: Uint8Array, account: string): { uri: string; text: string } {
  const totp = generator(secret, account);
  return { uri: totp.toString(), text: totp.secret.base32 };
}

/** The number of the time step that a password belongs to, or undefined for a wrong one. */
export function stepOf(secret: Uint8Array, password: string): number | undefined {
  const now = databaseNow();
  const delta = generator(secret, "").validate({ token: password, window: WINDOW, timestamp: now });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}
