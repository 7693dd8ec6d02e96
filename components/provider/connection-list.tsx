import { Server } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import { formatNumber } from "@/lib/contract/format";
import type { ConnectionHealth, ConnectionView } from "@/lib/contract/provider";
import { VERDICT_LABELS } from "./labels";

interface ConnectionRow {
  connection: ConnectionView;
  /** Name of its provider. */
  provider: string;
  health: ConnectionHealth;
}

/** Two letters where several providers share the first one; never a trademark. */
const MARKS: Record<string, string> = {
  revenuecat: "RC",
  adapty: "Ad",
  superwall: "Sw",
  qonversion: "Qo",
  apphud: "Ah",
  purchasely: "Pu",
  iaphub: "IA",
  apple: "AS",
  stripe: "St",
};

/** A mark that tells providers apart at a glance, beside the name. */
export function ProviderMark({ provider }: { provider: string }) {
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-lg border border-line bg-subtle text-note font-semibold text-ink"
    >
      {MARKS[provider] ?? <Server className="size-4" />}
    </span>
  );
}

/** An app's connections, each with its health. */
export function ConnectionList({ path, rows }: { path: string; rows: readonly ConnectionRow[] }) {
  return (
    <ul
      aria-label="Provider connections"
      className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs"
    >
      {rows.map(({ connection, provider, health }) => (
        <li
          key={connection.id}
          className="relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 px-5 py-4 hover:bg-subtle/60 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
        >
          <ProviderMark provider={connection.provider} />
          <div className="grid min-w-0 gap-1">
            <p className="flex flex-wrap items-center gap-2.5">
              <Link
                href={`${path}/${connection.id}`}
                className="truncate text-sm font-medium after:absolute after:inset-0"
              >
                {connection.label}
              </Link>
              <HealthBadge connection={connection} health={health} />
            </p>
            <p className="text-note text-muted">
              {provider === connection.label ? "Created" : `${provider}, created`}{" "}
              <RelativeTime at={connection.createdAt} />
            </p>
          </div>
          <div className="col-start-2 grid content-start gap-1 text-note text-muted sm:col-start-3 sm:justify-items-end">
            <LastEvent health={health} />
            {health.last && <DayCounts health={health} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A connection's state in a word; problems come first. */
export function HealthBadge({ connection, health }: Pick<ConnectionRow, "connection" | "health">) {
  const { enabled, refusedAt, waiting } = connection;
  const { last } = health;
  if (!enabled) return <Badge>Disabled</Badge>;
  if (waiting) return <Badge tone="warn">Secret missing</Badge>;
  if (refusedAt && (!last || refusedAt > last.at)) return <Badge tone="bad">Refused</Badge>;
  if (!last) return <Badge tone="warn">No events yet</Badge>;
  return <Badge tone="good">Active</Badge>;
}

function LastEvent({ health: { last } }: { health: ConnectionHealth }) {
  if (!last) return <span>Nothing received yet</span>;
  return (
    <span>
      Last event <RelativeTime at={last.at} />
    </span>
  );
}

/** The outcomes of the last 24 hours, each with its number of events. */
export function DayCounts({ health: { day } }: { health: ConnectionHealth }) {
  if (day.length === 0) return <span>No events in the last 24 hours</span>;
  const counts = day.map(
    ({ verdict, events }) => `${formatNumber(events)} ${VERDICT_LABELS[verdict].label.toLowerCase()}`,
  );
  return <span>Last 24 hours: {counts.join(", ")}</span>;
}
