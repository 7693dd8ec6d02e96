import { CircleCheck, CircleDashed, CircleMinus, type LucideIcon, OctagonAlert } from "lucide-react";
import { Link } from "@/components/ui/link";
import { problemHref } from "@/lib/contract/problems";
import { SIMULATED_STEPS, type SimulatedCause, type SimulatedStep } from "@/lib/contract/simulator";
import { Exchange } from "./exchange";

const LOOKS: Record<SimulatedStep["state"], { Icon: LucideIcon; look: string; name: string }> = {
  waiting: { Icon: CircleDashed, look: "text-muted", name: "Waiting" },
  running: { Icon: CircleDashed, look: "text-accent motion-safe:animate-spin", name: "Running" },
  passed: { Icon: CircleCheck, look: "text-good", name: "Passed" },
  failed: { Icon: OctagonAlert, look: "text-bad", name: "Failed" },
  skipped: { Icon: CircleMinus, look: "text-muted", name: "Skipped" },
};

/** The steps of a journey, each with its requests and answers, and the cause of a failure. */
export function SimulatedSteps({ appId, steps }: { appId: string; steps: readonly SimulatedStep[] }) {
  return (
    <ol aria-label="Steps" className="divide-y divide-line rounded-lg border border-line">
      {steps.map((step, index) => {
        const { Icon, look, name } = LOOKS[step.state];
        return (
          <li
            key={step.name}
            aria-current={step.state === "running" ? "step" : undefined}
            className="flex items-start gap-3 px-4 py-3 text-sm"
          >
            <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden />
            <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
              <p className="font-medium">
                {index + 1}. {SIMULATED_STEPS[step.name]}
                <span className="sr-only">: {name}</span>
              </p>
              {step.note && <p className="text-note wrap-anywhere text-muted">{step.note}</p>}
              {step.cause && <Cause appId={appId} cause={step.cause} />}
              {step.exchanges.map((exchange, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are appended and never move
                <Exchange key={at} exchange={exchange} />
              ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Cause({ appId, cause: { why, todo, section } }: { appId: string; cause: SimulatedCause }) {
  return (
    <div className="grid gap-1 text-note wrap-anywhere">
      <p className="text-bad">{why}</p>
      <p>{todo}</p>
      {section && (
        <Link href={problemHref(appId, section.path)} className="w-fit font-medium text-accent underline">
          {section.name}
        </Link>
      )}
    </div>
  );
}
