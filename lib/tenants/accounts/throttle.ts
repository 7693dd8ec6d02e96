import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import type { Verdict } from "@/lib/platform/limits/verdict";

/** Throws RATE_LIMITED with the time to wait, unless the limit allows the attempt. */
export function throttle({ allowed, retryAfter }: Verdict): void {
  if (allowed) return;
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  fail("RATE_LIMITED", `Too many attempts. Try again in ${wait}`, { retryAfter });
}

/**
 * Counts an email that an unknown caller requests. Throws RATE_LIMITED for a caller who requests too many, whether or not
 * an account exists. False when other callers used up the mailbox's share: the email is then left out silently.
 */
export async function maySendTo(email: string, address: string): Promise<boolean> {
  throttle(await limits().accountEmail(email, address));
  return (await limits().recipient(email)).allowed;
}
