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
          className="relative grid gap-x-6 gap-y-2 px-5 py-4 hover:bg-subtle/60 sm:grid-cols-[minmax(0,1fr)_auto]"
        >
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
          <div className="grid content-start gap-1 text-note text-muted sm:justify-items-end">
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
  if (refusedAt && (!last || refusedAt > last.at)) return <Badge tone="bad">Wrong secret</Badge>;
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
