import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { CreateKey } from "@/components/keys/create-key";
import { KeyList } from "@/components/keys/key-list";
import { TryKey } from "@/components/keys/try-key";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SecretReveal } from "@/components/ui/secret-reveal";
import type { KeySummary } from "@/lib/contract/api-key";
import { mayAct } from "@/lib/contract/workspace";
import { env } from "@/lib/platform/env";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { getKeyUsage } from "@/lib/tenants/api-keys/usage";
import { CUSTOM_SCOPE_PLANS } from "@/lib/tenants/quota/plans";
import { appContext } from "@/lib/web/session/context";
import {
  createKeyAction,
  liftKeyLimitsAction,
  revokeKeyAction,
  rotateKeyAction,
  updateKeyLimitsAction,
} from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `API keys · ${(await appContext((await params).appId)).app.name}` };
}

export default async function KeysPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const [keys, usage] = await Promise.all([listKeys(ctx), getKeyUsage(ctx)]);
  const of = (...states: KeySummary["state"][]) => keys.filter(({ state }) => states.includes(state));
  const [active, expiring, ended] = [of("active"), of("expiring"), of("expired", "revoked")];
  const custom = CUSTOM_SCOPE_PLANS.includes(workspace.plan);
  const mayChange = mayAct(role, "admin");
  const create = mayChange && <CreateKey action={createKeyAction} appId={app.id} custom={custom} />;
  const actions = mayChange
    ? {
        rotate: rotateKeyAction,
        revoke: revokeKeyAction,
        limits: updateKeyLimitsAction,
        lift: liftKeyLimitsAction,
      }
    : undefined;
  const shared = { appId: app.id, usage };
  return (
    <SecretReveal>
      <PageHeader title="API keys" action={active.length > 0 ? create : null}>
        Your app sends its key with every request, in the header <code className="font-mono">x-api-key</code>.
      </PageHeader>
      {active.length > 0 ? (
        <KeyList {...shared} keys={active} actions={actions} label="Working API keys" />
      ) : (
        <EmptyState icon={KeyRound} title="No active API keys" action={create || <TeamStep of={workspace} />}>
          {mayChange ? "Create a key to call the API." : "Ask a workspace admin to create a key."}
        </EmptyState>
      )}
      {expiring.length > 0 && (
        <section aria-labelledby="expiring" className="grid gap-3">
          <div className="grid gap-0.5">
            <h2 id="expiring" className="text-sm font-semibold">
              Replaced, but still working
            </h2>
            <p className="text-note text-muted">Deploy the new key before the old one stops working.</p>
          </div>
          <KeyList {...shared} keys={expiring} actions={actions} label="Replaced API keys" />
        </section>
      )}
      {active.length > 0 && <TryKey baseUrl={`${env().APP_URL}/api`} />}
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
    </SecretReveal>
  );
}
