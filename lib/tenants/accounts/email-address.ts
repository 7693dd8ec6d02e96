import { z } from "zod";
import { fail } from "@/lib/platform/errors";

/** The longest address that email can be sent to (RFC 5321). */
const EMAIL_MAX = 254;

/** Checked before it is lower-cased: the Kelvin sign becomes a `k`, so another mailbox would lead to this account. */
const address = z.string().trim().max(EMAIL_MAX).pipe(z.email().toLowerCase());

/** An address in the form in which accounts store it: trimmed, lower case. Undefined for an invalid one. */
export function tryEmail(text: string): string | undefined {
  return address.safeParse(text).data;
}

/** Like {@link tryEmail}, but throws VALIDATION_ERROR for an invalid address. */
export function parseEmail(text: string): string {
  return tryEmail(text) ?? fail("VALIDATION_ERROR", "Enter a valid email address", { field: "email" });
}
