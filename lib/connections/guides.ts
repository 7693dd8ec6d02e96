import type { ProviderGuide } from "@/lib/contract/provider";
import { isProvider, PROVIDERS } from "@/lib/providers/registry";

/** What a person has to know and do at the end of one provider; undefined for one this version does not know. */
export function guideOf(name: string): ProviderGuide | undefined {
  if (!isProvider(name)) return undefined;
  const { adapter: _, ...words } = PROVIDERS[name];
  return { name, ...words };
}

/** The same of every provider. */
export const GUIDES: readonly ProviderGuide[] = Object.keys(PROVIDERS).flatMap((name) => guideOf(name) ?? []);
