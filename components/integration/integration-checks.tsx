import {
  ArrowRight,
  CircleCheck,
  CircleDashed,
  Info,
  type LucideIcon,
  OctagonAlert,
  TriangleAlert,
} from "lucide-react";
import { Link } from "@/components/ui/link";
import type { CheckState, CheckView } from "@/lib/contract/integration-check";
import { problemHref } from "@/lib/contract/problems";

const LOOKS: Record<CheckState, { Icon: LucideIcon; look: string; name: string }> = {
  critical: { Icon: OctagonAlert, look: "text-bad", name: "Urgent" },
  warning: { Icon: TriangleAlert, look: "text-warn", name: "Problem" },
  hint: { Icon: Info, look: "text-accent", name: "Hint" },
  good: { Icon: CircleCheck, look: "text-good", name: "Good" },
  idle: { Icon: CircleDashed, look: "text-muted", name: "Nothing yet" },
};

/** The checks of a topic, each with its state, the evidence, and the page that changes it. */
export function IntegrationChecks({ appId, checks }: { appId: string; checks: readonly CheckView[] }) {
  if (checks.length === 0) return <p className="text-sm text-muted">Nothing to check.</p>;
  return (
    <ul className="-my-2 divide-y divide-line">
      {checks.map((check) => (
        <CheckItem key={check.subject} appId={appId} check={check} />
      ))}
    </ul>
  );
}

function CheckItem({ appId, check }: { appId: string; check: CheckView }) {
  const { state, title, evidence, problems, path, action } = check;
  const { Icon, look, name } = LOOKS[state];
  return (
    <li className="flex items-start gap-3 py-3">
      <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="text-sm font-medium wrap-anywhere">
          <span className="sr-only">{name}: </span>
          {title}
        </p>
        {problems.map((problem) => (
          <p key={`${problem.kind} ${problem.subject}`} className="text-note wrap-anywhere">
            <Link
              href={problemHref(appId, problem.path)}
              className="font-medium underline underline-offset-2"
            >
              {problem.title}
            </Link>
            . {problem.detail}
          </p>
        ))}
        {evidence.map((line) => (
          <p key={line} className="max-w-prose text-note wrap-anywhere text-muted">
            {line}
          </p>
        ))}
      </div>
      <Link
        href={problemHref(appId, path)}
        aria-label={`${action}: ${title}`}
        className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-note font-medium text-accent hover:bg-subtle max-sm:h-11"
      >
        <span className="max-sm:sr-only">{action}</span>
        <ArrowRight className="size-3.5" aria-hidden />
      </Link>
    </li>
  );
}

/** How many checks are in which state, in one line. */
export function CheckSummary({ checks }: { checks: readonly CheckView[] }) {
  const count = (...states: CheckState[]) => checks.filter(({ state }) => states.includes(state)).length;
  const wrong = count("critical", "warning");
  const hints = count("hint");
  return (
    <>
      {count("good")} good, {wrong} {wrong === 1 ? "problem" : "problems"}, {hints}{" "}
      {hints === 1 ? "hint" : "hints"}.
    </>
  );
}
