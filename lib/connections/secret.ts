import { fail } from "@/lib/errors";
import { PROVIDERS, type ProviderName } from "@/lib/providers/registry";

/** Stands in for a secret that is not there: either the provider's is still to be pasted, or it has none. */
export const NO_SECRET = "";

/**
 * The secret that a new connection begins with, and that a change gives it: ours, or the one that was pasted. Without
 * one that the provider makes, nothing is taken until it is there. Throws VALIDATION_ERROR, naming `secret`.
 */
export function secretOf(provider: ProviderName, given: string | null | undefined): string {
  const { secret } = PROVIDERS[provider].adapter;
  const pasted = given?.trim() ?? "";
  if (secret.from === "provider") {
    if (pasted !== "" && !secret.pattern.test(pasted)) refuse(secret.expected);
    return pasted;
  }
  if (pasted !== "") refuse("This provider's secret is made here, not pasted");
  return secret.from === "us" ? secret.make() : NO_SECRET;
}

/** Whether a provider's secret is still to be pasted. */
export function isWaiting(provider: ProviderName, secret: string): boolean {
  return PROVIDERS[provider].adapter.secret.from === "provider" && secret === NO_SECRET;
}

const refuse = (words: string): never => fail("VALIDATION_ERROR", words, { field: "secret" });
