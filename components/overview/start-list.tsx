import { ArrowRight, Check } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { type Checklist, START_STEPS, type StartStep } from "@/lib/contract/checklist";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { START_LABELS } from "./start-labels";

/** The lowest role that may do a step; the other steps are done by the app and its provider. */
const LOWEST_ROLE: Partial<Record<StartStep, Role>> = {
  stores: "admin",
  referee_codes: "member",
  reward_codes: "member",
  campaign: "member",
  key: "admin",
  provider: "admin",
};

interface Props {
  appId: string;
  checklist: Checklist;
  role: Role;
  /** Buttons of open steps that are done on this page. */
  actions: Partial<Record<StartStep, ReactNode>>;
  /** Content below the text of a step. */
  help: Partial<Record<StartStep, ReactNode>>;
}

function Mark({ number, done }: { number: number; done: boolean }) {
  return (
    <span
      className={`grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium ${done ? "bg-good-soft text-good" : "border border-line-strong text-muted"}`}
    >
      {done ? <Check className="size-3.5" aria-hidden /> : <span aria-hidden>{number}</span>}
      <span className="sr-only">{done ? "Done: " : "Open: "}</span>
    </span>
  );
}

function Item({ step, appId, checklist, role, actions, help }: Props & { step: StartStep }) {
  const { title, why, path, action } = START_LABELS[step];
  const lowest = LOWEST_ROLE[step] ?? "viewer";
  const may = mayAct(role, lowest);
  const done = checklist.done[step];
  const next = START_STEPS.find((name) => !checklist.done[name]) === step;
  return (
    <li className="flex gap-3.5 px-5 py-4">
      <Mark number={START_STEPS.indexOf(step) + 1} done={done} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="grid max-w-prose gap-0.5">
            <h2 className={`text-sm font-medium ${done ? "text-muted" : ""}`}>{title}</h2>
            {!done && (
              <p className="text-note text-muted">
                {why}
                {!may && ` Needs at least the ${lowest} role.`}
              </p>
            )}
          </div>
          {!done && may && (actions[step] || path) && (
            <div className="flex flex-wrap gap-2">
              {actions[step]}
              {path && (
                <Link
                  href={`/dashboard/apps/${appId}${path}`}
                  className={buttonClass({
                    size: "sm",
                    variant: next && !actions[step] ? "primary" : "secondary",
                  })}
                >
                  {action}
                  <ArrowRight className="size-4" aria-hidden />
                </Link>
              )}
            </div>
          )}
        </div>
        {help[step]}
      </div>
    </li>
  );
}

/** The steps from a new app to its first referral, ticked as their rows appear. */
export function StartList(props: Props) {
  return (
    <ol className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
      {START_STEPS.map((step) => (
        <Item key={step} step={step} {...props} />
      ))}
    </ol>
  );
}
