import {
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  type LucideIcon,
  OctagonAlert,
} from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import {
  SIMULATED_STEPS,
  type SimulatedCause,
  type SimulatedExchange,
  type SimulatedStep,
} from "@/lib/contract/simulator";

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
              {step.note && <p className="text-[13px] break-words text-muted">{step.note}</p>}
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
    <div className="grid gap-1 text-[13px] break-words">
      <p className="text-bad">{why}</p>
      <p>
        {todo}{" "}
        {section && (
          <Link
            href={`/dashboard/apps/${appId}${section.path}`}
            className="font-medium text-accent underline underline-offset-2"
          >
            {section.name}
          </Link>
        )}
      </p>
    </div>
  );
}

function Exchange({ exchange: { request, sent, status, answer, ms } }: { exchange: SimulatedExchange }) {
  const tone = status !== null && status < 400 ? "good" : "bad";
  return (
    <details className="group min-w-0">
      <summary className="flex min-h-8 list-none items-center gap-2 rounded text-[13px] hover:bg-subtle pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <Badge tone={tone}>{status ?? "No answer"}</Badge>
        <span className="min-w-0 truncate font-mono text-xs">{request}</span>
        <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">{ms} ms</span>
      </summary>
      <div className="grid grid-cols-1 gap-2 py-2">
        <Text label="Request" text={sent} />
        <Text label="Answer" text={answer} />
      </div>
    </details>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-md bg-subtle p-3"
    >
      <p className="pb-1 text-xs text-muted">{label}</p>
      <pre className="font-mono text-xs">{text || "(empty)"}</pre>
    </section>
  );
}
