import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { FirstEvent, FirstReferral, SandboxNote } from "@/components/overview/start-help";
import { StartList } from "@/components/overview/start-list";
import { Callout } from "@/components/ui/callout";
import { Meter } from "@/components/ui/meter";
import { checklistOf } from "@/lib/apps/checklist";
import { START_STEPS } from "@/lib/contract/checklist";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Getting started · ${(await personContext((await params).appId)).app.name}` };
}

export default async function StartPage({ params }: Props) {
  const { ctx, app } = await personContext((await params).appId);
  const checklist = await checklistOf(ctx);
  const help = {
    provider_event: <FirstEvent appId={app.id} checklist={checklist} />,
    referral: <FirstReferral checklist={checklist} />,
  };
  return (
    <>
      <PageHeader title="Getting started">
        From a new app to its first referral; steps tick themselves.
      </PageHeader>
      {checklist.complete ? (
        <Callout tone="good">
          <p>Everything is set up. The overview shows what comes of it.</p>
        </Callout>
      ) : (
        <div className="grid max-w-sm gap-2 text-sm">
          <p className="text-muted">
            {checklist.count} of {START_STEPS.length} steps done
          </p>
          <Meter label="Steps done" value={checklist.count} max={START_STEPS.length} />
        </div>
      )}
      <StartList appId={app.id} checklist={checklist} help={help} />
      <SandboxNote sandbox={checklist.sandbox} />
    </>
  );
}
