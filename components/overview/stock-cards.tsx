import { PackageOpen } from "lucide-react";
import { STOCK_LOOKS, StockBadge } from "@/components/codes/labels";
import { noPace } from "@/components/codes/pool-section";
import { buttonClass } from "@/components/ui/button";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import {
  formatCount,
  formatDayAndMonth,
  formatDaysLeft,
  formatNumber,
  PLATFORM_NAME,
  plural,
} from "@/lib/contract/format";
import { type PoolView, stockLevel } from "@/lib/contract/pool";

function lastingText(pool: PoolView): string {
  const { free, daysLeft } = pool;
  if (free === 0) return "No codes left";
  return daysLeft === null ? noPace(pool) : `${formatDaysLeft(daysLeft)} left`;
}

function Aside({ pool: { quarantined, expired } }: { pool: PoolView }) {
  const parts = [
    ...(quarantined > 0 ? [`${formatNumber(quarantined)} quarantined`] : []),
    ...(expired > 0 ? [`${formatNumber(expired)} expired or too close to expiry`] : []),
  ];
  return parts.length > 0 ? <p className="text-xs text-muted">Not counted: {parts.join(", ")}</p> : null;
}

function Card({ appId, pool }: { appId: string; pool: PoolView }) {
  const { tone } = STOCK_LOOKS[stockLevel(pool)];
  const { nextExpiry, perDay } = pool;
  return (
    <li className="relative grid content-start gap-3 rounded-xl border border-line bg-surface p-4 shadow-xs hover:border-line-strong">
      <div className="grid gap-0.5">
        <div className="flex items-start justify-between gap-3">
          <Link
            href={`/dashboard/apps/${appId}/codes/pools/${pool.id}`}
            className="line-clamp-2 min-w-0 text-sm font-medium wrap-anywhere after:absolute after:inset-0 after:rounded-xl"
          >
            {pool.name}
          </Link>
          <StockBadge pool={pool} />
        </div>
        <p className="text-xs text-muted">
          {PLATFORM_NAME[pool.platform]} · {pool.use} codes
        </p>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(pool.free)}</span>
        <span className="text-note text-muted">of {formatNumber(pool.size)} left</span>
      </p>
      <MeterBar label={`Codes left in ${pool.name}`} value={pool.free} max={pool.size} tone={tone} />
      <div className="grid gap-0.5 text-note">
        <p>
          {lastingText(pool)}
          {perDay > 0 && (
            <span className="text-muted">
              {" "}
              · {perDay < 10 ? perDay.toFixed(1) : formatNumber(Math.round(perDay))} per day
            </span>
          )}
        </p>
        <p className="text-muted">
          {nextExpiry
            ? `${formatCount(nextExpiry.codes, "code")} ${plural(nextExpiry.codes, "expires", "expire")} on ${formatDayAndMonth(nextExpiry.at)}`
            : "No upcoming expiry"}
        </p>
      </div>
      <Aside pool={pool} />
    </li>
  );
}

interface Props {
  appId: string;
  pools: PoolView[];
  /** The workspace of a user who may not import codes. */
  readOnlyIn?: { id: string } | undefined;
}

/** The stock of every pool, how long it lasts, and its next expiry. */
export function StockCards({ appId, pools, readOnlyIn }: Props) {
  if (pools.length === 0) {
    return (
      <EmptyState
        icon={PackageOpen}
        title="No codes yet"
        action={
          readOnlyIn ? (
            <TeamStep of={readOnlyIn} />
          ) : (
            <Link
              href={`/dashboard/apps/${appId}/codes/import`}
              className={buttonClass({ variant: "secondary" })}
            >
              Import codes
            </Link>
          )
        }
      >
        Import promo codes from the App Store or Google Play. Each friend and each reward gets one.
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-3 grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))]">
      {pools.map((pool) => (
        <Card key={pool.id} appId={appId} pool={pool} />
      ))}
    </ul>
  );
}
