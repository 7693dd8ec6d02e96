import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { StockBadge } from "@/components/codes/badges";
import { BatchTable } from "@/components/codes/batch-table";
import { PoolFacts } from "@/components/codes/pool-facts";
import { PoolMenu } from "@/components/codes/pool-menu";
import { PLATFORM_NAME, USE_NAME } from "@/components/codes/words";
import { Facts } from "@/components/dashboard/facts";
import { PageHeader } from "@/components/dashboard/page-header";
import { buttonClass } from "@/components/ui/button";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { stockOf } from "@/lib/stats/stock";
import { changePoolAction, deletePoolAction } from "../../actions";

interface Props {
  params: Promise<{ appId: string; poolId: string }>;
}

export const metadata: Metadata = { title: "Pool of codes" };

export default async function PoolPage({ params }: Props) {
  const { appId, poolId } = await params;
  const { ctx, app, role } = await personContext(appId);
  const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
  if (!pool) return notFound();
  const { id, name, lowStock, alertTo, usedBy } = pool;
  const base = `/dashboard/apps/${app.id}`;
  const change = { change: changePoolAction, remove: deletePoolAction };
  return (
    <div className="grid gap-5">
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5 text-lg">
            {name} <StockBadge pool={pool} />
          </span>
        }
        action={
          mayAct(role, "member") && (
            <div className="flex items-center gap-2">
              <Link href={`${base}/codes/import?pool=${id}`} className={buttonClass()}>
                Import codes
              </Link>
              <PoolMenu appId={app.id} pool={{ id, name, lowStock, alertTo }} {...change} />
            </div>
          )
        }
      >
        <Link href={`${base}/codes`} className="underline hover:text-ink">
          Codes
        </Link>{" "}
        · {PLATFORM_NAME[pool.platform]} · {USE_NAME[pool.use].toLowerCase()}
      </PageHeader>
      <PoolFacts pool={pool} />
      <Facts
        facts={[
          {
            name: "Used by",
            value: usedBy.length > 0 ? usedBy.map((campaign) => campaign.name).join(", ") : "No campaign yet",
          },
          { name: "Low stock at", value: lowStock.toLocaleString("en") },
          { name: "Who is told", value: alertTo.join(", ") || "Owners and admins of the workspace" },
        ]}
      />
      {pool.batches.length > 0 && (
        <BatchTable label={`Batches of ${name}`} appId={app.id} batches={[...pool.batches].reverse()} />
      )}
    </div>
  );
}
