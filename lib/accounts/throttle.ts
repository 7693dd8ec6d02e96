import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";
import type { Verdict } from "@/lib/limits/verdict";

/** Throws RATE_LIMITED with the wait in words, unless the limit allows it. */
export function throttle({ allowed, retryAfter }: Verdict): void {
  if (allowed) return;
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  fail("RATE_LIMITED", `Too many attempts, try again in ${wait}`, { retryAfter });
}

/**
 * Counts a mail that a stranger asks to be sent. Throws RATE_LIMITED for one who asks too often, whether there is an
 * account or not. False: this mailbox had its share, asked for by others, and the mail is left out without a word.
 */
export async function maySendTo(email: string, address: string): Promise<boolean> {
  throttle(await limits().accountMail(email, address));
  return (await limits().recipient(email)).allowed;
}
