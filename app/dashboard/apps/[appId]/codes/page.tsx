import { Ticket } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { NewPool } from "@/components/codes/new-pool";
import { PoolCard } from "@/components/codes/pool-card";
import { PoolMenu } from "@/components/codes/pool-menu";
import { PageHeader } from "@/components/dashboard/page-header";
import { CodeTabs } from "@/components/store/code-tabs";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { stockOf } from "@/lib/stats/stock";
import { changePoolAction, createPoolAction, deletePoolAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Codes · ${(await personContext((await params).appId)).app.name}` };
}

export default async function CodesPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const pools = await stockOf(ctx);
  const mayChange = mayAct(role, "member");
  const create = mayChange && <NewPool action={createPoolAction} appId={app.id} />;
  const change = { change: changePoolAction, remove: deletePoolAction };
  return (
    <div className="grid gap-8">
      <PageHeader
        title={<span className="text-lg">Codes</span>}
        action={
          mayChange &&
          pools.length > 0 && (
            <div className="flex gap-2">
              {create}
              <Link href={`/dashboard/apps/${app.id}/codes/import`} className={buttonClass()}>
                Import codes
              </Link>
            </div>
          )
        }
      >
        Promo codes from the stores, kept in pools until somebody earns one.
      </PageHeader>
      <CodeTabs appId={app.id} />
      {pools.length === 0 && (
        <EmptyState icon={Ticket} title="No pools yet" action={create}>
          {mayChange
            ? "Make a pool for each store and use, then import the codes that the store gave you."
            : "Ask a member of your workspace to make one."}
        </EmptyState>
      )}
      {pools.map((pool) => (
        <PoolCard
          key={pool.id}
          appId={app.id}
          pool={pool}
          mayImport={mayChange}
          menu={mayChange && <PoolMenu appId={app.id} pool={poolOf(pool)} {...change} />}
        />
      ))}
    </div>
  );
}

/** What the browser needs of a pool; its batches stay here. */
function poolOf({ id, name, lowStock, alertTo }: Awaited<ReturnType<typeof stockOf>>[number]) {
  return { id, name, lowStock, alertTo };
}
