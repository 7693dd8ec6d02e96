import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { CreateKey } from "@/components/keys/create-key";
import { KeyList } from "@/components/keys/key-list";
import { KeyReveal } from "@/components/keys/key-reveal";
import { TryIt } from "@/components/keys/try-it";
import { EmptyState } from "@/components/ui/empty-state";
import { listKeys } from "@/lib/api-keys/list";
import { keyUsage } from "@/lib/api-keys/usage";
import type { KeySummary } from "@/lib/contract/key-summary";
import { mayAct } from "@/lib/contract/roles";
import { env } from "@/lib/env";
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
  const [keys, usage] = await Promise.all([listKeys(ctx), keyUsage(ctx)]);
  const of = (...states: KeySummary["state"][]) => keys.filter(({ state }) => states.includes(state));
  const [active, expiring, ended] = [of("active"), of("expiring"), of("expired", "revoked")];
  const custom = CUSTOM_SCOPE_PLANS.includes(workspace.plan);
  const mayChange = mayAct(role, "admin");
  const create = mayChange && <CreateKey action={createKeyAction} appId={app.id} custom={custom} />;
  const actions = mayChange ? { rotate: rotateKeyAction, revoke: revokeKeyAction } : undefined;
  const shared = { appId: app.id, usage };
  return (
    <KeyReveal>
      <PageHeader title="API keys" action={active.length > 0 ? create : null}>
        Your app sends one with every request, as the header <code className="font-mono">x-api-key</code>.
      </PageHeader>
      {active.length > 0 ? (
        <KeyList {...shared} keys={active} actions={actions} label="Working API keys" />
      ) : (
        <EmptyState icon={KeyRound} title="No working API key" action={create}>
          {mayChange ? "Create one to call the API." : "Ask an admin of your workspace to create one."}
        </EmptyState>
      )}
      {expiring.length > 0 && (
        <section aria-labelledby="expiring" className="grid gap-3">
          <div className="grid gap-0.5">
            <h2 id="expiring" className="text-sm font-semibold">
              Replaced and still working
            </h2>
            <p className="text-[13px] text-muted">Put the new key in place before the old one stops.</p>
          </div>
          <KeyList {...shared} keys={expiring} actions={actions} label="Replaced API keys" />
        </section>
      )}
      {active.length > 0 && <TryIt baseUrl={`${env().APP_URL}/api`} />}
      {ended.length > 0 && (
        <details className="group grid gap-3">
          <summary className="w-fit rounded-md py-1 text-sm text-muted hover:text-ink">
            Revoked and expired keys ({ended.length})
          </summary>
          <div className="pt-3">
            <KeyList {...shared} keys={ended} label="Revoked and expired API keys" />
          </div>
        </details>
      )}
    </KeyReveal>
  );
}
