import type { Metadata } from "next";
import { CreateSandbox, ResetSandbox } from "@/components/settings/app-actions";
import { SimulateForm } from "@/components/settings/simulate-form";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { mayAct } from "@/lib/contract/workspace";
import { listReferrals } from "@/lib/program/referrals/list";
import { appContext } from "@/lib/web/session/context";
import { findUserApp } from "@/lib/web/session/queries";
import { createTwinAction, resetSandboxAction, simulateAction } from "../actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export const metadata: Metadata = { title: "Sandbox · Settings" };

const SUGGESTIONS = 20;

export default async function SandboxPage({ params }: Props) {
  const { app, ctx, role } = await appContext((await params).appId);
  const twin = app.twinId ? await findUserApp(app.twinId) : undefined;
  const admin = mayAct(role, "admin");
  if (!app.sandbox) {
    return (
      <Section
        title="Sandbox"
        hint="A copy with sample codes, in which test purchases count and nothing can be lost."
        action={!twin && admin && <CreateSandbox action={createTwinAction} appId={app.id} />}
      >
        {twin ? (
          <TwinLink id={twin.id} name={twin.name} kind="sandbox" />
        ) : (
          <p className="text-sm text-muted">
            It gets the rules and campaigns of this app, and 100 sample codes in each pool. Create an API key
            in it for your development builds.{!admin && " An admin can create the sandbox."}
          </p>
        )}
      </Section>
    );
  }
  const open = await listReferrals(ctx, { status: "code_assigned" }, SUGGESTIONS);
  return (
    <>
      {twin && (
        <Section title="Live app">
          <TwinLink id={twin.id} name={twin.name} kind="live app" />
        </Section>
      )}
      <Section
        title="Simulate a purchase"
        hint="Sends the event that your provider would send, without a real purchase."
      >
        {mayAct(role, "member") ? (
          <SimulateForm
            action={simulateAction}
            appId={app.id}
            suggestions={open.data.map(({ refereeUid }) => refereeUid).filter((uid) => uid !== null)}
          />
        ) : (
          <p className="text-sm text-muted">Only members can simulate purchases.</p>
        )}
      </Section>
      <Section
        title="Start over"
        hint="Deletes all referrers, referrals, rewards, events and figures, and fills the pools with new sample codes."
        tone="danger"
        action={admin && <ResetSandbox action={resetSandboxAction} appId={app.id} name={app.name} />}
      >
        <p className="text-sm text-muted">Keys, campaigns, pools, providers and webhooks stay as they are.</p>
      </Section>
    </>
  );
}

function TwinLink({ id, name, kind }: { id: string; name: string; kind: string }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span>
        The {kind} of this app is <strong className="font-medium">{name}</strong>.
      </span>
      <Link href={`/dashboard/apps/${id}`} className={buttonClass({ variant: "secondary", size: "sm" })}>
        Open the {kind}
      </Link>
    </p>
  );
}
