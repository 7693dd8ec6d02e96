import { Link } from "@/components/ui/link";
import { listHref } from "@/components/ui/pager";

interface Props {
  appId: string;
  custom: boolean;
  poolId: string;
}

const TAB =
  "-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-ink " +
  "aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink";

/** Links between the import of a file with one-time codes and the form for a custom code. */
export function ImportTabs({ appId, custom, poolId }: Props) {
  const path = `/dashboard/apps/${appId}/codes/import`;
  return (
    <nav aria-label="Type of codes" className="flex gap-1 border-b border-line">
      <Link
        href={listHref(path, { pool: poolId })}
        aria-current={custom ? undefined : "page"}
        className={TAB}
      >
        One-time codes
      </Link>
      <Link
        href={listHref(path, { pool: poolId, kind: "custom" })}
        aria-current={custom ? "page" : undefined}
        className={TAB}
      >
        Custom code
      </Link>
    </nav>
  );
}
