import type { Metadata } from "next";
import { CreateKey } from "@/components/keys/create-key";
import { FirstEvent, FirstReferral, SandboxNote } from "@/components/overview/start-help";
import { StartList } from "@/components/overview/start-list";
import { AwaitFirst } from "@/components/provider/await-first";
import { CreateConnection } from "@/components/provider/create-connection";
import { ActButton } from "@/components/ui/act-button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { PageHeader } from "@/components/ui/page-header";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { platformsOfApp } from "@/lib/contract/app";
import { START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { mayAct } from "@/lib/contract/workspace";
import { checklistOf } from "@/lib/outward/overview/checklist";
import { SAMPLE_CODES } from "@/lib/program/codes/sample-codes";
import { GUIDES } from "@/lib/program/connections/guides";
import { listReferrals } from "@/lib/program/referrals/list";
import type { Context } from "@/lib/tenants/context";
import { CUSTOM_SCOPE_PLANS } from "@/lib/tenants/quota/plans";
import { appContext } from "@/lib/web/session/context";
import { addSampleCodesAction } from "../codes/actions";
import { createKeyAction } from "../keys/actions";
import { createConnectionAction, sendSampleEventAction } from "../providers/actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Getting started · ${(await appContext((await params).appId)).app.name}` };
}

export default async function StartPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const checklist = await checklistOf(ctx);
  const { done, sandbox, connection } = checklist;
  const waiting = done.referral && !done.provider_event ? await newestWaiting(ctx) : undefined;
  const member = mayAct(role, "member");
  const next = START_STEPS.find((step) => !done[step]);
  const look = (step: StartStep) =>
    ({ size: "sm", variant: step === next ? "primary" : "secondary" }) as const;
  const sampleCodes = (step: StartStep, use: "referee" | "reward") =>
    sandbox && (
      <ActButton
        action={addSampleCodesAction}
        hidden={{ appId: app.id, use }}
        done={`${SAMPLE_CODES} sample codes added for each store`}
        look={look(step)}
      >
        Add sample codes
      </ActButton>
    );
  const actions = {
    referee_codes: sampleCodes("referee_codes", "referee"),
    reward_codes: sampleCodes("reward_codes", "reward"),
    key: (
      <CreateKey
        action={createKeyAction}
        appId={app.id}
        custom={CUSTOM_SCOPE_PLANS.includes(workspace.plan)}
        look={look("key")}
      />
    ),
    provider: (
      <CreateConnection
        action={createConnectionAction}
        appId={app.id}
        guides={GUIDES}
        look={look("provider")}
      />
    ),
  };
  const testPurchase = sandbox && member && connection && waiting && (
    <ActButton
      action={sendSampleEventAction}
      hidden={{ appId: app.id, connectionId: connection.id, uid: waiting, kind: "purchase" }}
      done={`The referral of ${waiting} is confirmed`}
      look={look("provider_event")}
    >
      Send test purchase
    </ActButton>
  );
  const help = {
    // Stays when the step is done, because a simulation continues with the purchase and the reward.
    referral: (
      <>
        <FirstReferral
          appId={app.id}
          checklist={checklist}
          stores={platformsOfApp(ctx.app)}
          mayRun={member && done.referee_codes && done.reward_codes && done.campaign && done.provider}
        />
        {next === "referral" && <AwaitFirst>Waiting for the first referral.</AwaitFirst>}
      </>
    ),
    provider_event: !done.provider_event && (
      <>
        <FirstEvent
          appId={app.id}
          checklist={checklist}
          test={testPurchase && waiting ? { uid: waiting, button: testPurchase } : undefined}
        />
        {next === "provider_event" && <AwaitFirst>Waiting for the first purchase.</AwaitFirst>}
      </>
    ),
  };
  return (
    <SecretReveal>
      <PageHeader title="Getting started">
        From a new app to its first confirmed referral. Steps are ticked as you complete them.
      </PageHeader>
      {checklist.complete ? (
        <Complete appId={app.id} />
      ) : (
        <div className="grid max-w-sm gap-2 text-sm">
          <p className="text-muted">
            {checklist.count} of {START_STEPS.length} steps done
          </p>
          <MeterBar label="Steps done" value={checklist.count} max={START_STEPS.length} />
        </div>
      )}
      <StartList appId={app.id} checklist={checklist} role={role} actions={actions} help={help} />
      <SandboxNote sandbox={sandbox} />
    </SecretReveal>
  );
}

/** The newest referee with a code and no purchase, whom a test purchase confirms. */
async function newestWaiting(ctx: Context): Promise<string | undefined> {
  const [referral] = (await listReferrals(ctx, { status: "code_assigned" }, 1)).data;
  return referral?.refereeUid ?? undefined;
}

function Complete({ appId }: { appId: string }) {
  return (
    <Callout tone="good">
      <p>
        Everything is set up. See every step of the{" "}
        <Link href={`/dashboard/apps/${appId}/referrals`} className="font-medium underline">
          referral
        </Link>
        , or the figures in the{" "}
        <Link href={`/dashboard/apps/${appId}`} className="font-medium underline">
          overview
        </Link>
        .
      </p>
    </Callout>
  );
}
