import type { ProviderGuide } from "@/lib/contract/provider";
import { isProvider, PROVIDERS } from "@/lib/program/providers/registry";
import type { AppRef } from "@/lib/tenants/context";

/** The set-up guide of a provider; undefined for one that this version does not support. */
export function findGuide(name: string): ProviderGuide | undefined {
  if (!isProvider(name)) return undefined;
  const { adapter, proof: _, needs: __, ...labels } = PROVIDERS[name];
  return { name, ...labels, secretFrom: adapter.secret.from };
}

/** Names of the settings that the app lacks for this provider's proof. Apple signs sandbox purchases without an app id. */
export function missingSettings(name: string, app: AppRef): string[] {
  if (!isProvider(name)) return [];
  const labels = { iosBundleId: "the bundle ID", appleAppId: "the Apple app ID" };
  const needs = PROVIDERS[name].needs.filter((need) => need !== "appleAppId" || !app.sandbox);
  return needs.filter((need) => !app[need]).map((need) => labels[need]);
}

/** The guides of all providers. */
export const GUIDES: readonly ProviderGuide[] = Object.keys(PROVIDERS).flatMap(
  (name) => findGuide(name) ?? [],
);
