import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { signedSample } from "@/lib/testing/provider-events/samples";

export type Patch = Record<string, unknown>;

/** An event like the provider's sample of a purchase, with its type and some fields, at any depth, replaced. */
export function readPatched(name: ProviderName, type: string, patch: Patch = {}, webPurchases = false) {
  const body = (text: string) => JSON.stringify(merge(JSON.parse(text), patch));
  return PROVIDERS[name].adapter.read({ ...signedSample(name, { type, body }), webPurchases });
}

function merge(value: unknown, patch: unknown): unknown {
  const isObject = (part: unknown) => typeof part === "object" && part !== null && !Array.isArray(part);
  if (!isObject(value) || !isObject(patch)) return patch;
  const changed = Object.entries(patch as Patch).map(([key, part]) => [
    key,
    merge((value as Patch)[key], part),
  ]);
  return { ...(value as Patch), ...Object.fromEntries(changed) };
}

export const about = (patch: Patch) => ({ event_properties: patch });
export const data = (patch: Patch) => ({ data: patch });
export const inEvent = (patch: Patch) => ({ event: patch });
export const object = (patch: Patch) => ({ data: { object: { app: 1, ...patch } } });
