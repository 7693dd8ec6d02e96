import type { Metadata } from "next";
import { poolChoices } from "@/components/codes/import/choose-pool";
import { CustomForm } from "@/components/codes/import/custom-form";
import { ImportTabs, poolOfAddress } from "@/components/codes/import/import-tabs";
import { ImportWizard } from "@/components/codes/import/import-wizard";
import { InterruptedImport } from "@/components/codes/import/interrupted-import";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { platformsOfApp } from "@/lib/contract/app";
import { FROM_START, startPath } from "@/lib/contract/checklist";
import { uuidField } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import { mayAct } from "@/lib/contract/workspace";
import { findImport } from "@/lib/program/codes/get-batch";
import { listPoolNames } from "@/lib/program/pools/get";
import { appContext } from "@/lib/web/session/context";
import { createCustomCodeAction, createPoolAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Import codes · ${(await appContext((await params).appId)).app.name}` };
}

/** The page that the import leads back to: the checklist, or the campaign whose codes were missing. */
function backTo(appId: string, from: string | undefined): string | undefined {
  if (from === FROM_START) return startPath(appId);
  const { data: campaignId } = uuidField("from").safeParse(from);
  return campaignId && `/dashboard/apps/${appId}/campaigns/${campaignId}`;
}

export default async function ImportPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  // Takes the first value of a repeated parameter.
  const query = Object.fromEntries(
    Object.entries(await searchParams).map(([name, value]) => [name, [value].flat()[0]]),
  );
  const { kind, pool, use, from, import: interrupted } = query;
  const pools = await listPoolNames(ctx);
  const outcome = interrupted ? { batchId: interrupted, ...(await findImport(ctx, interrupted)) } : undefined;
  const custom = kind === "custom";
  const stores = platformsOfApp(ctx.app);
  const choices = poolChoices(pools, stores.length > 0 ? stores : PLATFORMS);
  const preselected =
    choices.find(({ value }) => value === pool) ?? choices.find((choice) => choice.use === use);
  return (
    <div className="grid grid-cols-1 gap-5">
      <PageHeader title="Import codes" trail={[{ href: `/dashboard/apps/${app.id}/codes`, name: "Codes" }]}>
        The file is checked first. Nothing is stored until you import it.
      </PageHeader>
      {!mayAct(role, "member") ? (
        <Callout>
          <p>Importing codes needs the member role. Ask a workspace admin.</p>
        </Callout>
      ) : (
        <div className="grid grid-cols-1 gap-5">
          <InterruptedImport appId={app.id} outcome={outcome} />
          <ImportTabs appId={app.id} custom={custom} query={{ pool, use, from }} />
          {custom ? (
            <CustomForm
              appId={app.id}
              pools={pools}
              poolId={poolOfAddress(pools, { pool, use })?.id ?? ""}
              createPool={createPoolAction}
              action={createCustomCodeAction}
            />
          ) : (
            <ImportWizard
              appId={app.id}
              pools={choices}
              pool={preselected?.value ?? ""}
              back={backTo(app.id, from)}
              complete={outcome?.fate === "done" ? outcome.batchId : undefined}
            />
          )}
        </div>
      )}
    </div>
  );
}
