import type { Metadata } from "next";
import { FirstEvent, FirstReferral, SandboxNote } from "@/components/overview/start-help";
import { StartList } from "@/components/overview/start-list";
import { Callout } from "@/components/ui/callout";
import { MeterBar } from "@/components/ui/meter";
import { PageHeader } from "@/components/ui/page-header";
import { START_STEPS } from "@/lib/contract/checklist";
import { checklistOf } from "@/lib/outward/overview/checklist";
import { appContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Getting started · ${(await appContext((await params).appId)).app.name}` };
}

export default async function StartPage({ params }: Props) {
  const { ctx, app } = await appContext((await params).appId);
  const checklist = await checklistOf(ctx);
  const help = {
    provider_event: <FirstEvent appId={app.id} checklist={checklist} />,
    referral: <FirstReferral checklist={checklist} />,
  };
  return (
    <>
      <PageHeader title="Getting started">
        From a new app to its first referral. Steps are ticked as you complete them.
      </PageHeader>
      {checklist.complete ? (
        <Callout tone="good">
          <p>Everything is set up. The overview shows the results.</p>
        </Callout>
      ) : (
        <div className="grid max-w-sm gap-2 text-sm">
          <p className="text-muted">
            {checklist.count} of {START_STEPS.length} steps done
          </p>
          <MeterBar label="Steps done" value={checklist.count} max={START_STEPS.length} />
        </div>
      )}
      <StartList appId={app.id} checklist={checklist} help={help} />
      <SandboxNote sandbox={checklist.sandbox} />
    </>
  );
}
