import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { StockBadge } from "./badges";
import { BatchTable } from "./batch-table";
import { PoolFacts } from "./pool-facts";
import type { PoolView } from "./types";
import { counted, PLATFORM_NAME, USE_NAME } from "./words";

/** So many batches stand below a pool; the others are on its own page. */
const SHOWN = 3;

interface Props {
  appId: string;
  pool: PoolView;
  /** What may be done with it. */
  menu: ReactNode;
  /** Whether the viewer may import codes. */
  mayImport: boolean;
}

/** A pool with its stock and its newest batches. */
export function PoolCard({ appId, pool, menu, mayImport }: Props) {
  const { batches, id, name } = pool;
  const base = `/dashboard/apps/${appId}/codes`;
  const newest = [...batches].reverse().slice(0, SHOWN);
  return (
    <section aria-label={name} className="grid gap-3">
      <header className="flex items-center gap-x-2.5 gap-y-1">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="max-w-full truncate text-[15px] font-semibold">
            <Link href={`${base}/pools/${id}`} className="hover:underline">
              {name}
            </Link>
          </h2>
          <span className="flex gap-1.5">
            <StockBadge pool={pool} />
            <Badge>{PLATFORM_NAME[pool.platform]}</Badge>
            <Badge>{USE_NAME[pool.use]}</Badge>
          </span>
        </div>
        {menu}
      </header>
      <PoolFacts pool={pool} />
      {newest.length > 0 && <BatchTable label={`Batches of ${name}`} appId={appId} batches={newest} />}
      <footer className="flex flex-wrap gap-2">
        {batches.length > SHOWN && (
          <Link href={`${base}/pools/${id}`} className={buttonClass({ variant: "secondary", size: "sm" })}>
            All {counted(batches.length)} batches
          </Link>
        )}
        {mayImport && batches.length === 0 && (
          <Link
            href={`${base}/import?pool=${id}`}
            className={buttonClass({ variant: "secondary", size: "sm" })}
          >
            Import codes for it
          </Link>
        )}
      </footer>
    </section>
  );
}
