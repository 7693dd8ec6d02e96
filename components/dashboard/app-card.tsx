import { KeyRound, Megaphone } from "lucide-react";
import type { ComponentProps } from "react";
import { RecentConfirmed } from "@/components/chart/line-chart";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { formatCount, formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { AppMonogram } from "./app-monogram";

interface Props {
  app: ComponentProps<typeof AppMonogram>["app"] &
    Record<"appleAppId" | "androidPackage", string | null> & { sandbox: boolean };
  keys: number;
  activeCampaigns: number;
  /** Confirmed referrals on each of the last days. */
  recent: readonly number[];
}

/** An app in the list of apps. */
export function AppCard({ app, keys, activeCampaigns, recent }: Props) {
  const stores = [app.appleAppId && PLATFORM_NAME.ios, app.androidPackage && PLATFORM_NAME.android];
  const total = formatNumber(recent.reduce((sum, value) => sum + value, 0));
  return (
    <li className="relative grid grid-cols-1 gap-5 rounded-xl border border-line bg-surface p-5 shadow-xs transition-colors focus-within:border-line-strong hover:border-line-strong">
      <div className="flex items-center gap-3.5">
        <AppMonogram app={app} />
        <div className="min-w-0 flex-1">
          <h3 className="flex items-center gap-2 text-lead font-medium">
            <Link
              href={`/dashboard/apps/${app.id}`}
              className="truncate after:absolute after:inset-0 after:rounded-xl"
            >
              {app.name}
            </Link>
            {app.sandbox && <Badge tone="warn">Sandbox</Badge>}
          </h3>
          <p className="truncate text-note text-muted">
            {stores.filter(Boolean).join(" and ") || "No store IDs yet"}
          </p>
        </div>
      </div>
      <p className="flex gap-5 text-note text-muted">
        <span className="flex items-center gap-1.5">
          <KeyRound className="size-3.5" aria-hidden />
          {formatCount(keys, "key")}
        </span>
        <span className="flex items-center gap-1.5">
          <Megaphone className="size-3.5" aria-hidden />
          {formatCount(activeCampaigns, "active campaign")}
        </span>
      </p>
      <div className="flex items-end justify-between gap-4 border-t border-line pt-4">
        <p className="grid text-note text-muted">
          <span className="text-lg font-semibold tracking-tight text-ink tabular-nums">{total}</span>
          confirmed in 30 days
        </p>
        <RecentConfirmed values={recent} />
      </div>
    </li>
  );
}
