import type { providerConnections } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { isProvider, type ProviderName } from "@/lib/providers/registry";

/** Where one provider of one app posts its events, as its owner sees it. */
export interface Connection {
  id: string;
  provider: ProviderName;
  /** The address to give to the provider. */
  url: string;
  /** The Authorization value or signing secret to give to the provider. */
  secret: string;
  /** Whether deliveries must carry the provider's second signature too. */
  signed: boolean;
  enabled: boolean;
  createdAt: Date;
}

type Row = typeof providerConnections.$inferSelect;

/** Where the provider posts the events of this connection. */
export function connectionUrl(provider: string, id: string): string {
  return `${env().APP_URL}/api/providers/${provider}/${id}`;
}

/** Throws where a row names a provider that this version does not know. */
export function toConnection(row: Row): Connection {
  const { id, provider, secret, signingSecret, enabled, createdAt } = row;
  if (!isProvider(provider)) throw new Error(`Connection ${id} is of an unknown provider`);
  return {
    id,
    provider,
    url: connectionUrl(provider, id),
    secret,
    signed: signingSecret !== null,
    enabled,
    createdAt,
  };
}
