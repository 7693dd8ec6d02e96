import { fail } from "@/lib/errors";
import { PROVIDERS, type ProviderName } from "@/lib/providers/registry";

/** A signing secret as it was pasted: blank is none. Throws VALIDATION_ERROR where the provider has no such thing. */
export function parseSigningSecret(provider: ProviderName, given: string | null | undefined): string | null {
  const secret = given?.trim() ?? "";
  if (secret === "") return null;
  if (PROVIDERS[provider].signingSecretLabel === null) {
    fail("VALIDATION_ERROR", "This provider has no signing secret of its own", { field: "signingSecret" });
  }
  if (!/^[\x21-\x7e]{1,500}$/.test(secret)) {
    fail("VALIDATION_ERROR", "The signing secret must be at most 500 printable characters", {
      field: "signingSecret",
    });
  }
  return secret;
}
