import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { CreateKey } from "@/components/dashboard/create-key";
import { KeyList } from "@/components/dashboard/key-list";
import { KeyReveal } from "@/components/dashboard/key-reveal";
import { PageHeader } from "@/components/dashboard/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { listKeys } from "@/lib/api-keys/list";
import { mayAct } from "@/lib/contract/roles";
import { CUSTOM_SCOPE_PLANS } from "@/lib/quota/plans";
import { personContext } from "@/lib/session/context";
import { createKeyAction, revokeKeyAction, rotateKeyAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `API keys · ${(await personContext((await params).appId)).app.name}` };
}

export default async function KeysPage({ params }: Props) {
  const { ctx, app, workspace, role } = await personContext((await params).appId);
  const keys = await listKeys(ctx);
  const [working, ended] = [true, false].map((works) =>
    keys.filter(({ state }) => (state === "active" || state === "expiring") === works),
  );
  const custom = CUSTOM_SCOPE_PLANS.includes(workspace.plan);
  const mayChange = mayAct(role, "admin");
  const create = mayChange && <CreateKey action={createKeyAction} appId={app.id} custom={custom} />;
  const actions = mayChange ? { rotate: rotateKeyAction, revoke: revokeKeyAction } : undefined;
  return (
    <KeyReveal>
      <div className="grid gap-5">
        <PageHeader
          title={<span className="text-lg">API keys</span>}
          action={working?.length ? create : null}
        >
          Your app sends one with every request, as the header <code className="font-mono">x-api-key</code>.
        </PageHeader>
        {working?.length ? (
          <KeyList appId={app.id} keys={working} actions={actions} label="Working API keys" />
        ) : (
          <EmptyState icon={KeyRound} title="No working API key" action={create}>
            {mayChange ? "Create one to call the API." : "Ask an admin of your workspace to create one."}
          </EmptyState>
        )}
        {ended && ended.length > 0 && (
          <details className="group grid gap-3">
            <summary className="w-fit rounded-md py-1 text-sm text-muted hover:text-ink">
              Revoked and expired keys ({ended.length})
            </summary>
            <div className="pt-3">
              <KeyList appId={app.id} keys={ended} label="Revoked and expired API keys" />
            </div>
          </details>
        )}
      </div>
    </KeyReveal>
  );
}
