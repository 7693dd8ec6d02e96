import type { ErrorHelp } from "@/lib/contract/error-help";
import {
  DAY_MS,
  formatCount,
  formatDateTime,
  formatDuration,
  formatRelative,
  HOUR_MS,
} from "@/lib/contract/format";
import type { ConnectionHealth } from "@/lib/contract/provider";
import type { Fact } from "@/lib/outward/integration/fact";
import { rhythmOf } from "@/lib/outward/problems/detect-providers";
import { findRefusedBody } from "@/lib/outward/request-log/list";
import {
  type Connection,
  lastEvents,
  listConnections,
  toConnectionView,
} from "@/lib/program/connections/connection";
import { connectionHealth } from "@/lib/program/connections/health";
import type { Context } from "@/lib/tenants/context";

/** Each enabled connection with its last event, its rhythm and its refused deliveries. */
export async function checkProviders(ctx: Context): Promise<Fact[]> {
  const all = await listConnections(ctx);
  const connections = all.filter(({ enabled }) => enabled);
  if (connections.length === 0) return [all.length === 0 ? noProvider : noneEnabled];
  const newest = await lastEvents(ctx, connections);
  const facts: Fact[] = [];
  for (const connection of connections) {
    const { times = [] } = newest.get(connection.id) ?? {};
    const health = await connectionHealth(ctx, connection.id);
    const refused = health.refusals.deliveries > 0;
    const refusedBody = refused ? await findRefusedBody(ctx, connection.id) : undefined;
    facts.push(ofConnection(connection, ctx.app.sandbox ? [] : times, health, refusedBody));
  }
  return facts;
}

/** Its row `none` matches the problem "none enabled", which only an app with events of a provider has. */
const noProvider: Fact = {
  topic: "providers",
  subject: "none",
  rows: ["none"],
  state: "warning",
  title: "No provider is connected",
  evidence: ["Connect one: without its events no referral is confirmed and no reward is earned."],
  path: "/providers",
  action: "Connect a provider",
  needs: "admin",
};

const noneEnabled: Fact = {
  ...noProvider,
  title: "Every connection is disabled",
  evidence: ["Enable one: without its events no referral is confirmed and no reward is earned."],
  action: "Open providers",
};

function ofConnection(
  connection: Connection,
  times: number[],
  { last, refusals }: ConnectionHealth,
  refusedBody: ErrorHelp | undefined,
): Fact {
  const { id, hasSecret, waiting } = connection;
  const refused = refusals.deliveries;
  const checks = refused > 0 && hasSecret && !refusedBody;
  return {
    topic: "providers",
    subject: id,
    rows: [id],
    state: waiting || refused > 0 || last?.verdict === "unreadable" ? "hint" : last ? "good" : "idle",
    title: toConnectionView(connection).label,
    evidence: [
      ...(waiting ? ["Its secret has not been entered: until then its events are refused."] : []),
      last ? `Last event ${formatRelative(last.at)}: ${last.type}.` : "No event yet.",
      ...rhythm(times),
      ...refusalLines(refusals),
      ...(refusedBody ? [`${refusedBody.why} ${refusedBody.todo}`] : []),
    ],
    path: `/providers/${id}`,
    action: waiting ? "Enter the secret" : checks ? "Check the secret" : "Open the connection",
    needs: waiting || checks ? "admin" : "viewer",
  };
}

function rhythm(times: number[]): string[] {
  const found = rhythmOf(times);
  if (!found) return [];
  return [
    `Usually an event every ${long(found.pauseMs)}; it counts as silent after ${long(found.silentMs)} without one.`,
  ];
}

/** `40 ms`, `5 minutes`, `3 hours`, `3 days`. */
function long(ms: number): string {
  if (ms >= 2 * DAY_MS) return formatCount(Math.round(ms / DAY_MS), "day");
  if (ms >= 2 * HOUR_MS) return formatCount(Math.round(ms / HOUR_MS), "hour");
  if (ms >= 120_000) return formatCount(Math.round(ms / 60_000), "minute");
  return formatDuration(Math.round(ms * 1_000));
}

/** Hours that the line names at most. */
const NAMED = 3;

function refusalLines({ deliveries: refused, since, hours }: ConnectionHealth["refusals"]): string[] {
  const [newest] = hours;
  if (!newest || !since) return [];
  const named = hours
    .slice(0, NAMED)
    .map(({ deliveries, hour }) => `${deliveries} from ${formatDateTime(hour)}`);
  return [
    `Refused ${formatCount(refused, "delivery", "deliveries")} since ${formatDateTime(since)}, the last at ${formatDateTime(newest.lastAt)}. By hour: ${named.join(", ")}${hours.length > NAMED ? ", and earlier ones" : ""}.`,
  ];
}
