import { ArrowRight } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { type Checklist, START_STEPS } from "@/lib/contract/checklist";
import { HideStart } from "./hide-start";
import { START_LABELS } from "./start-labels";

/** "Create an API key" within a sentence. */
const nextStep = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);

/** The progress of the set-up and the next step, until all is done or the user hides the card. */
export function StartCard({ appId, checklist }: { appId: string; checklist: Checklist }) {
  const next = START_STEPS.find((step) => !checklist.done[step]);
  return (
    <section
      aria-label="Getting started"
      className="grid gap-3 rounded-xl border border-accent/30 bg-accent-soft/50 px-5 py-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="grid gap-0.5">
          <h2 className="text-sm font-semibold">
            Getting started: {checklist.count} of {START_STEPS.length} steps done
          </h2>
          {next && <p className="text-note text-muted">Next: {nextStep(START_LABELS[next].title)}</p>}
        </div>
        <div className="flex items-center gap-1">
          <Link href={`/dashboard/apps/${appId}/start`} className={buttonClass({ size: "sm" })}>
            Continue
            <ArrowRight className="size-4" aria-hidden />
          </Link>
          <HideStart appId={appId} />
        </div>
      </div>
      <MeterBar label="Steps done" value={checklist.count} max={START_STEPS.length} />
    </section>
  );
}
