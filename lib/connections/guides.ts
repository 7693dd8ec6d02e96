import type { AppRef } from "@/lib/context";
import type { ProviderGuide } from "@/lib/contract/provider";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

/** What a person has to know and do at the end of one provider; undefined for one this version does not know. */
export function guideOf(name: string): ProviderGuide | undefined {
  if (!isProvider(name)) return undefined;
  const { adapter, proof: _, needs: __, ...words } = PROVIDERS[name];
  return { name, ...words, secretFrom: adapter.secret.from };
}

/** What the app's settings lack for this provider's proof, as people call it. Apple signs sandbox purchases without an app id. */
export function missingSettings(name: string, app: AppRef): string[] {
  if (!isProvider(name)) return [];
  const labels = { iosBundleId: "the bundle id", appleAppId: "the Apple app id" };
  const needs = PROVIDERS[name].needs.filter((need) => need !== "appleAppId" || !app.sandbox);
  return needs.filter((need) => !app[need]).map((need) => labels[need]);
}

/** The same of every provider. */
export const GUIDES: readonly ProviderGuide[] = Object.keys(PROVIDERS).flatMap((name) => guideOf(name) ?? []);
