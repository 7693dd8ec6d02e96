import { ArrowRight, CircleCheck, TriangleAlert } from "lucide-react";
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
            <p className="text-sm font-medium break-words">{title}</p>
            <p className="text-[13px] text-muted">
              {detail} Told <Near at={toldAt} />.
            </p>
          </div>
          <Link
            href={`/dashboard/apps/${appId}${path}`}
            aria-label={`Look at it: ${title}`}
            className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-[13px] font-medium text-accent hover:bg-subtle"
          >
            Look at it
            <ArrowRight className="size-3.5" aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  );
}
