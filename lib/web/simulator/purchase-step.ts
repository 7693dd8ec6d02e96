import { formatCount } from "@/lib/contract/format";
import { type Connection, listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { findConnection } from "@/lib/program/connections/find";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { StepFailure, sendTo } from "@/lib/web/simulator/exchange";
import type { Journey } from "@/lib/web/simulator/journey";
import type { StepResult } from "@/lib/web/simulator/steps";

/** A connection that accepts events; one that signs with a secret known here is tried first. */
function usable(connections: Connection[]): Connection | undefined {
  const working = connections.filter(
    ({ enabled, waiting, unreadable }) => enabled && !waiting && !unreadable,
  );
  return working.find(({ provider }) => PROVIDERS[provider].adapter.secret.from !== "none");
}

/** Sends each friend's purchase as the provider would, with its proof. */
export async function confirmPurchases(journey: Journey): Promise<StepResult> {
  const { ctx, handlers, friends } = journey;
  const connections = await listConnections(ctx);
  const connection = usable(connections);
  const record = connection && (await findConnection(ctx.db, connection.provider, connection.id));
  if (!connection || !record) throw new StepFailure(noConnection(connections));
  const { provider, id } = connection;
  const { secret, signingSecret } = record;
  for (const uid of friends) {
    const sample = PROVIDERS[provider].adapter.sample({
      ...{ kind: "purchase", uid, secret, signingSecret, now: Date.now() },
    });
    const { status, text } = await sendTo(journey, {
      handler: handlers.provider,
      method: "POST",
      path: `/api/providers/${provider}/${id}`,
      params: { provider, connectionId: id },
      headers: sample.headers,
      body: new Uint8Array(sample.rawBody),
    });
    const verdict = status === 200 ? JSON.parse(text).status : undefined;
    if (verdict !== "confirmed") throw new StepFailure(notConfirmed(connection, status, verdict));
  }
  const label = toConnectionView(connection).label;
  return {
    note: `${label} reported ${formatCount(friends.length, "purchase")}, and each confirmed a referral.`,
  };
}

function noConnection(connections: Connection[]) {
  const waiting = connections.find((connection) => connection.enabled && connection.waiting);
  if (waiting) {
    return {
      why: `${toConnectionView(waiting).label} is connected, but its secret has not been entered.`,
      todo: "Enter the provider’s secret.",
      section: { path: `/providers/${waiting.id}`, name: "Connection" },
    };
  }
  return {
    why:
      connections.length > 0
        ? "No connected provider can send a test purchase: it is off, its secret cannot be read, or only the store can sign its events."
        : "No provider is connected, so no purchase can confirm a referral.",
    todo: "Connect a provider to this sandbox, for example RevenueCat or the generic one.",
    section: { path: "/providers", name: "Providers" },
  };
}

function notConfirmed(connection: Connection, status: number, verdict: string | undefined) {
  const label = toConnectionView(connection).label;
  return {
    why:
      verdict === undefined
        ? `The address of ${label} answered ${status}.`
        : `The event of ${label} was accepted with the outcome “${verdict}”, so it confirmed nothing.`,
    todo: "Open the event in the provider’s log: it says why.",
    section: { path: `/providers/${connection.id}`, name: "Connection" },
  };
}
