import type { Metadata } from "next";
import Link from "next/link";
import { CustomForm } from "@/components/codes/import/custom-form";
import { ImportRoom } from "@/components/codes/import/import-room";
import { LostImport } from "@/components/codes/import/lost-import";
import { Modes } from "@/components/codes/import/modes";
import { PageHeader } from "@/components/dashboard/page-header";
import { Callout } from "@/components/ui/callout";
import { findImport } from "@/lib/codes/find-import";
import { mayAct } from "@/lib/contract/roles";
import { listPoolNames } from "@/lib/pools/list-names";
import { personContext } from "@/lib/session/context";
import { addCustomAction, createPoolAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Import codes · ${(await personContext((await params).appId)).app.name}` };
}

export default async function ImportPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const { kind, pool, import: lost } = await searchParams;
  const pools = await listPoolNames(ctx);
  const fate = typeof lost === "string" ? { batchId: lost, ...(await findImport(ctx, lost)) } : undefined;
  const custom = kind === "custom";
  const only = pools.length === 1 ? pools[0] : pools.find(({ id }) => id === pool);
  const room = { appId: app.id, pools, poolId: only?.id ?? "", createPool: createPoolAction };
  return (
    <div className="grid max-w-3xl gap-5">
      <PageHeader title={<span className="text-lg">Import codes</span>}>
        <Link href={`/dashboard/apps/${app.id}/codes`} className="underline hover:text-ink">
          Codes
        </Link>{" "}
        · The file is tried out first. Nothing is stored before you say so.
      </PageHeader>
      {!mayAct(role, "member") ? (
        <Callout>
          <p>Your role reads only. Ask an admin of your workspace to make you a member.</p>
        </Callout>
      ) : (
        <>
          <LostImport appId={app.id} fate={fate} />
          <Modes appId={app.id} custom={custom} poolId={room.poolId} />
          {custom ? <CustomForm {...room} action={addCustomAction} /> : <ImportRoom {...room} />}
        </>
      )}
    </div>
  );
}
