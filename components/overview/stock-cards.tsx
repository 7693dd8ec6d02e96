import { PackageOpen } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Meter } from "@/components/ui/meter";
import type { PoolCard } from "@/lib/contract/overview";
import { count, counted, dayName, lasting, PLATFORM_NAMES } from "./words";

type State = "empty" | "low" | "short" | "good";

/** So few days are hardly enough to get new codes from a store. */
const SHORT_DAYS = 7;

function stateOf({ free, lowStock, daysLeft }: PoolCard): State {
  if (free === 0) return "empty";
  if (free <= lowStock) return "low";
  return daysLeft !== null && daysLeft < SHORT_DAYS ? "short" : "good";
}

const LOOKS = {
  empty: { tone: "bad", word: "Empty" },
  low: { tone: "warn", word: "Low" },
  short: { tone: "warn", word: "Ends soon" },
  good: { tone: "good", word: "In stock" },
} as const;

function Aside({ pool: { quarantined, expired } }: { pool: PoolCard }) {
  const parts = [
    ...(quarantined > 0 ? [`${count(quarantined)} set aside`] : []),
    ...(expired > 0 ? [`${count(expired)} expired`] : []),
  ];
  return parts.length > 0 ? <p className="text-xs text-muted">Not counted: {parts.join(", ")}</p> : null;
}

function Card({ appId, pool }: { appId: string; pool: PoolCard }) {
  const { tone, word } = LOOKS[stateOf(pool)];
  const { nextExpiry, perDay } = pool;
  return (
    <li className="relative grid content-start gap-3 rounded-xl border border-line bg-surface p-4 shadow-xs hover:border-line-strong">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-0.5">
          <Link
            href={`/dashboard/apps/${appId}/codes/pools/${pool.id}`}
            className="truncate text-sm font-medium after:absolute after:inset-0 after:rounded-xl"
          >
            {pool.name}
          </Link>
          <p className="text-xs text-muted">
            {PLATFORM_NAMES[pool.platform]} · {pool.use} codes
          </p>
        </div>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="flex items-baseline gap-1.5">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">{count(pool.free)}</span>
        <span className="text-[13px] text-muted">of {count(pool.size)} left</span>
      </p>
      <Meter label={`Codes left in ${pool.name}`} value={pool.free} max={pool.size} tone={tone} />
      <div className="grid gap-0.5 text-[13px]">
        <p>
          {pool.free > 0 ? lasting(pool.daysLeft) : "Nothing left to give"}
          {perDay > 0 && (
            <span className="text-muted">
              {" "}
              · {perDay < 10 ? perDay.toFixed(1) : count(Math.round(perDay))} a day
            </span>
          )}
        </p>
        <p className="text-muted">
          {nextExpiry
            ? `${counted(nextExpiry.codes, "code")} until ${dayName(nextExpiry.at)}`
            : "No expiry ahead"}
        </p>
      </div>
      <Aside pool={pool} />
    </li>
  );
}

/** What is left of every pool, how long it lasts, and what expires first. */
export function StockCards({ appId, pools }: { appId: string; pools: PoolCard[] }) {
  if (pools.length === 0) {
    return (
      <EmptyState
        icon={PackageOpen}
        title="No codes yet"
        action={
          <Link
            href={`/dashboard/apps/${appId}/codes/import`}
            className={buttonClass({ variant: "secondary" })}
          >
            Upload codes
          </Link>
        }
      >
        Upload promo codes of the App Store or Google Play; friends get them one by one.
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {pools.map((pool) => (
        <Card key={pool.id} appId={appId} pool={pool} />
      ))}
    </ul>
  );
}
