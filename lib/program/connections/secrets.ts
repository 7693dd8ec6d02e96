import type { providerConnections } from "@/lib/platform/db/schema";
import { readSecret, sealSecret } from "@/lib/platform/secrets/seal";
import { NO_SECRET } from "@/lib/program/connections/fields";

type Row = typeof providerConnections.$inferSelect;

/** One binding for all columns of a row: a rotation moves the sealed text from `secret` to `former_secret`. */
const bindingOf = (id: string): string => `provider_connections:${id}`;

/** A connection's secret as its row stores it. A missing one is stored as an empty string, so that queries can test for it. */
export function sealConnectionSecret(text: string, id: string): string {
  return text === NO_SECRET ? NO_SECRET : sealSecret(text, bindingOf(id));
}

/** The secrets of a connection in the clear. */
interface ConnectionSecrets {
  secret: string;
  /** Null without one, and if it cannot be read: its grace period ends anyway. */
  formerSecret: string | null;
  signingSecret: string | null;
}

/** The secrets of a row; undefined if a key that sealed them is missing, so that no delivery can be proven. */
export function readConnectionSecrets(row: Row): ConnectionSecrets | undefined {
  const read = (stored: string | null) =>
    stored === null ? null : readSecret(stored, bindingOf(row.id)).text;
  const [secret, signingSecret] = [read(row.secret), read(row.signingSecret)];
  if (typeof secret !== "string" || signingSecret === undefined) return undefined;
  return { secret, signingSecret, formerSecret: read(row.formerSecret) ?? null };
}
