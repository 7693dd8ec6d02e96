import { isWaiting } from "@/lib/connections/secret";
import type { ConnectionView, NewSecret } from "@/lib/contract/provider";
import type { providerConnections } from "@/lib/db/schema";
import { env } from "@/lib/env";
import type { OwnNames } from "@/lib/providers/adapter";
import { isProvider, PROVIDERS, type ProviderName } from "@/lib/providers/registry";

/** Where one provider of one app posts its events, as verbs see it. Pages are given {@link toView}. */
export interface Connection {
  id: string;
  provider: ProviderName;
  /** The owner's word for it. */
  name: string | null;
  /** The address to give to the provider. */
  url: string;
  /** The Authorization value or signing secret; empty where there is none. */
  secret: string;
  /** Whether the provider's own secret is still to be pasted; until then nothing is taken. */
  waiting: boolean;
  /** Whether deliveries must carry the provider's second signature too. */
  signed: boolean;
  /** What the owner has named otherwise over there. */
  ownNames: OwnNames | null;
  enabled: boolean;
  createdAt: Date;
  formerUntil: Date | null;
  refusedAt: Date | null;
}

type Row = typeof providerConnections.$inferSelect;

/** Where the provider posts the events of this connection. */
function connectionUrl(provider: string, id: string): string {
  return `${env().APP_URL}/api/providers/${provider}/${id}`;
}

/** Throws where a row names a provider that this version does not know. */
export function toConnection(row: Row): Connection {
  const { id, provider, name, secret, signingSecret, ownNames, enabled } = row;
  if (!isProvider(provider)) throw new Error(`Connection ${id} is of an unknown provider`);
  const url = connectionUrl(provider, id);
  const signed = signingSecret !== null;
  const waiting = isWaiting(provider, secret);
  const { createdAt, formerUntil, refusedAt } = row;
  const when = { createdAt, formerUntil, refusedAt };
  return { id, provider, name, url, secret, waiting, signed, ownNames, enabled, ...when };
}

/** A connection as a page may show it: without its secret. */
export function toView({ secret: _, name, ...rest }: Connection): ConnectionView {
  return { ...rest, label: name ?? PROVIDERS[rest.provider].label };
}

/** What is shown once after a secret was made or changed; one that the owner pasted is not shown again. */
export function shownOnce({ id, url, provider, secret }: Connection): NewSecret {
  return { id, url, secret: PROVIDERS[provider].adapter.secret.from === "us" ? secret : null };
}

/** A connection as the audit log names its subject. */
export function connectionSubject({ id, name, provider }: Pick<Connection, "id" | "name" | "provider">) {
  return { subject: "connection", subjectId: id, subjectName: name ?? PROVIDERS[provider].label };
}
