import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BatchTable } from "@/components/codes/batch-table";
import { POOL_USE_LABEL, StockBadge } from "@/components/codes/labels";
import { PoolMenu } from "@/components/codes/pool-menu";
import { PoolFacts } from "@/components/codes/pool-section";
import { buttonClass } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { editedPool } from "@/lib/contract/pool";
import { mayAct } from "@/lib/contract/workspace";
import { stockOf } from "@/lib/program/stats/stock";
import { appContext } from "@/lib/web/session/context";
import {
  deletePoolAction,
  quarantineBatchesAction,
  restoreBatchesAction,
  updatePoolAction,
} from "../../actions";

interface Props {
  params: Promise<{ appId: string; poolId: string }>;
}

export const metadata: Metadata = { title: "Pool · Codes" };

export default async function PoolPage({ params }: Props) {
  const { appId, poolId } = await params;
  const { ctx, app, role } = await appContext(appId);
  const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
  if (!pool) return notFound();
  const { id, name, lowStock, alertTo, offers, usedBy } = pool;
  const base = `/dashboard/apps/${app.id}`;
  const change = { update: updatePoolAction, remove: deletePoolAction };
  return (
    <div className="grid gap-5">
      <PageHeader
        trail={[{ href: `${base}/codes`, name: "Codes" }]}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            {name} <StockBadge pool={pool} />
          </span>
        }
        action={
          mayAct(role, "member") && (
            <div className="flex items-center gap-2">
              <Link href={`${base}/codes/import?pool=${id}`} className={buttonClass()}>
                Import codes
              </Link>
              <PoolMenu appId={app.id} pool={editedPool(pool)} {...change} />
            </div>
          )
        }
      >
        {PLATFORM_NAME[pool.platform]} · {POOL_USE_LABEL[pool.use].toLowerCase()}
      </PageHeader>
      <PoolFacts pool={pool} />
      <Facts
        facts={[
          {
            name: "Used by",
            value: usedBy.length > 0 ? usedBy.map((campaign) => campaign.name).join(", ") : "No campaign yet",
          },
          { name: "Order of offers", value: offers.join(", ") || "The codes that expire first" },
          {
            name: "One code per offer and user",
            value: pool.platform === "ios" || pool.onePerOffer ? "Yes" : "No, but other offers come first",
          },
          { name: "Low-stock threshold", value: formatNumber(lowStock) },
          { name: "Low-stock recipients", value: alertTo.join(", ") || "Owners and admins of the workspace" },
        ]}
      />
      {pool.batches.length > 0 && (
        <BatchTable
          label={`Batches of ${name}`}
          appId={app.id}
          batches={[...pool.batches].reverse()}
          change={
            mayAct(role, "member")
              ? { quarantine: quarantineBatchesAction, restore: restoreBatchesAction }
              : undefined
          }
        />
      )}
    </div>
  );
}
