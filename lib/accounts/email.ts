import { z } from "zod";
import { fail } from "@/lib/errors";

/** The longest address that mail can be sent to (RFC 5321). */
const EMAIL_MAX = 254;

const address = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());

/** An address as accounts are found by: trimmed, lower case. Undefined where it is none. */
export function tryEmail(text: string): string | undefined {
  return address.safeParse(text).data;
}

/** The same, or VALIDATION_ERROR that names the field. */
export function parseEmail(text: string): string {
  return tryEmail(text) ?? fail("VALIDATION_ERROR", "Enter a valid e-mail address", { field: "email" });
}
