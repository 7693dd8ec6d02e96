import { CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Near } from "@/components/ui/time";
import type { AlertView } from "@/lib/contract/alerts";

/** What is wrong now, each with the place where it is mended. */
export function AlertList({ appId, alerts }: { appId: string; alerts: readonly AlertView[] }) {
  if (alerts.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        Nothing. You would be told.
      </p>
    );
  }
  return (
    <ul className="-my-2 divide-y divide-line">
      {alerts.map(({ kind, subject, title, detail, path, toldAt }) => (
        <li key={`${kind} ${subject}`} className="flex items-start gap-3 py-3">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <p className="text-sm font-medium break-words">
              <Link href={`/dashboard/apps/${appId}${path}`} className="hover:underline">
                {title}
              </Link>
            </p>
            <p className="text-[13px] text-muted">
              {detail} Told <Near at={toldAt} />.
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
