import { Link } from "@/components/ui/link";
import { listHref } from "@/components/ui/pager";
import type { PoolName } from "@/lib/contract/pool";

interface Props {
  appId: string;
  custom: boolean;
  /** The address of the page: the pool or its use, and the page to return to. */
  query: Record<string, string | undefined>;
}

const TAB =
  "-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-ink " +
  "aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink";

/** The pool that the page's address names, else the only pool, or the only one for the use that the address names. */
export function poolOfAddress(pools: readonly PoolName[], { pool, use }: Record<string, string | undefined>) {
  const fitting = pools.filter((found) => !use || found.use === use);
  return pools.find(({ id }) => id === pool) ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** Links between the import of a file with one-time codes and the form for a custom code. */
export function ImportTabs({ appId, custom, query }: Props) {
  const path = `/dashboard/apps/${appId}/codes/import`;
  return (
    <nav aria-label="Type of codes" className="flex gap-1 border-b border-line">
      <Link
        href={listHref(path, { ...query, kind: undefined })}
        aria-current={custom ? undefined : "page"}
        className={TAB}
      >
        One-time codes
      </Link>
      <Link
        href={listHref(path, { ...query, kind: "custom" })}
        aria-current={custom ? "page" : undefined}
        className={TAB}
      >
        Custom code
      </Link>
    </nav>
  );
}
