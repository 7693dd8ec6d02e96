import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, formatDaysLeft, formatMany, formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { editedPool, LOW_STOCK_DAYS, type PoolView } from "@/lib/contract/pool";
import { BatchTable } from "./batch-table";
import { POOL_USE_LABEL, StockBadge } from "./labels";
import { PoolMenu } from "./pool-menu";

/** Number of batches below a pool; the others are on the pool's page. */
const SHOWN = 3;
const SMALL = buttonClass({ variant: "secondary", size: "sm" });

interface Props {
  appId: string;
  pool: PoolView;
  /** Absent for members who may not change it. */
  actions?: { update: FormAction<void>; remove: FormAction<void> } | undefined;
}

/** A pool with its stock and its newest batches; on a phone, a button leads to the batches. */
export function PoolSection({ appId, pool, actions }: Props) {
  const { batches, id, name } = pool;
  const base = `/dashboard/apps/${appId}/codes`;
  const href = `${base}/pools/${id}`;
  const newest = [...batches].reverse().slice(0, SHOWN);
  return (
    <section aria-label={name} className="grid grid-cols-1 gap-3">
      <header className="flex items-center gap-x-2.5 gap-y-1">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="max-w-full truncate text-lead font-semibold">
            <Link href={href} className="hover:underline">
              {name}
            </Link>
          </h2>
          <span className="flex gap-1.5">
            <StockBadge pool={pool} />
            <Badge>{PLATFORM_NAME[pool.platform]}</Badge>
            <Badge>{POOL_USE_LABEL[pool.use]}</Badge>
          </span>
        </div>
        {actions && <PoolMenu appId={appId} pool={editedPool(pool)} {...actions} />}
      </header>
      <PoolFacts pool={pool} />
      {newest.length > 0 && (
        <div className="max-sm:hidden">
          <BatchTable label={`Batches of ${name}`} appId={appId} batches={newest} />
        </div>
      )}
      <footer className="flex flex-wrap gap-2">
        {batches.length > 0 && (
          <Link href={href} className={`${SMALL} ${batches.length > SHOWN ? "" : "sm:hidden"}`}>
            {formatCount(batches.length, "batch", "batches")}
          </Link>
        )}
        {actions && batches.length === 0 && (
          <Link href={`${base}/import?pool=${id}`} className={SMALL}>
            Import codes
          </Link>
        )}
      </footer>
    </section>
  );
}

/** The text in place of a pace. Weekly figures lag by a minute, so a zero in them does not mean that none was assigned. */
export const noPace = ({ assigned }: PoolView): string =>
  assigned === 0 ? "None assigned yet" : "Too few this week for a forecast";

/** The stock of a pool: free codes, how long they last, and the next expiry. */
export function PoolFacts({ pool }: { pool: PoolView }) {
  const { free, daysLeft, nextExpiry, assigned, quarantined, expired, inLine } = pool;
  const aside = [
    quarantined > 0 && `${formatNumber(quarantined)} quarantined`,
    expired > 0 && `${formatNumber(expired)} expired or too close to expiry`,
    inLine > 0 && `${formatMany(inLine, "person", "people")} in line`,
  ].filter(Boolean);
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-surface shadow-xs lg:grid-cols-4">
      <Fact
        name="Free codes"
        value={formatNumber(free)}
        note={aside.join(", ")}
        wideNote={`Low at ${formatNumber(pool.lowStock)} or under ${LOW_STOCK_DAYS} days`}
      />
      <Fact
        name="Lasts for"
        value={daysLeft === null || free === 0 ? "–" : formatDaysLeft(daysLeft)}
        note={daysLeft === null && noPace(pool)}
        wideNote="At this week’s pace"
      />
      <Fact
        name="Next to expire"
        value={nextExpiry ? <LocalTime at={nextExpiry.at} shape="day" /> : "–"}
        note={nextExpiry && formatCount(nextExpiry.codes, "code")}
        wideNote="No expiry date"
      />
      <Fact
        name="Assigned so far"
        value={formatNumber(assigned)}
        wideNote={`${formatNumber(pool.confirmed)} confirmed`}
      />
    </dl>
  );
}

interface FactProps {
  name: string;
  value: ReactNode;
  note?: string | false | null;
  /** In place of an absent note, where there is room. */
  wideNote: string;
}

/** One number of the strip. The overlapping borders are the lines between the numbers. */
function Fact({ name, value, note, wideNote }: FactProps) {
  return (
    <div className="-mt-px -ml-px grid content-start gap-0.5 border-t border-l border-line px-4 py-3">
      <dt className="text-note text-muted">{name}</dt>
      <dd className="grid">
        <span className="text-lg font-semibold tracking-tight tabular-nums">{value}</span>
        <span className={`text-note text-muted ${note ? "" : "max-sm:hidden"}`}>{note || wideNote}</span>
      </dd>
    </div>
  );
}
