import { readFileSync } from "node:fs";

/** A payload of RevenueCat's documentation (github.com/RevenueCat/docs, code_blocks/integrations/webhooks). */
interface Recorded {
  api_version: string;
  event: Record<string, unknown>;
}

/** Reads a payload and replaces fields of its event, because all of them carry the same id. */
export function recorded(name: string, changes: Record<string, unknown> = {}): Recorded {
  const file = `lib/program/providers/fixtures/revenuecat/${name}.json`;
  const body: Recorded = JSON.parse(readFileSync(file, "utf8"));
  return { ...body, event: { ...body.event, ...changes } };
}
