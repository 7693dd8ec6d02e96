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
import { formatCount } from "@/lib/contract/format";
import { type CheckState, type CheckView, nextStep, type Reader } from "@/lib/contract/integration-check";

const LOOKS: Record<CheckState, { Icon: LucideIcon; look: string; name: string }> = {
  critical: { Icon: OctagonAlert, look: "text-bad", name: "Urgent" },
  warning: { Icon: TriangleAlert, look: "text-warn", name: "Problem" },
  hint: { Icon: Info, look: "text-accent", name: "Hint" },
  good: { Icon: CircleCheck, look: "text-good", name: "Good" },
  idle: { Icon: CircleDashed, look: "text-muted", name: "Nothing yet" },
};

/** The checks of a topic, each with its state, the evidence, and the page that changes it. */
export function IntegrationChecks({ reader, checks }: { reader: Reader; checks: readonly CheckView[] }) {
  if (checks.length === 0) return <p className="text-sm text-muted">Nothing to check.</p>;
  return (
    <ul className="-my-2 divide-y divide-line">
      {checks.map((check) => (
        <CheckItem key={check.subject} reader={reader} check={check} />
      ))}
    </ul>
  );
}

function CheckItem({ reader, check }: { reader: Reader; check: CheckView }) {
  const { state, title, evidence, problems } = check;
  const { href, label } = nextStep(check, reader);
  const { Icon, look, name } = LOOKS[state];
  return (
    <li className="flex items-start gap-x-3 py-3 max-sm:flex-wrap max-sm:pb-1">
      <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden />
      <div className="grid min-w-0 flex-1 gap-0.5 max-sm:basis-3/4">
        <p className="text-sm font-medium wrap-anywhere">
          <span className="sr-only">{name}: </span>
          {title}
        </p>
        {problems.map((problem) => (
          <p key={`${problem.kind} ${problem.subject}`} className="text-note wrap-anywhere">
            <ProblemTitle title={problem.title} {...nextStep(problem, reader)} /> {problem.detail}
          </p>
        ))}
        {evidence.map((line) => (
          <p key={line} className="max-w-prose text-note wrap-anywhere text-muted">
            {line}
          </p>
        ))}
      </div>
      <Link
        href={href}
        aria-label={`${label}: ${title}`}
        className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-note font-medium text-accent hover:bg-subtle max-sm:ml-5.5 max-sm:h-11"
      >
        {label}
        <ArrowRight className="size-3.5" aria-hidden />
      </Link>
    </li>
  );
}

/** The title as a link to the page that solves the problem, or to the colleagues whose role may solve it. */
function ProblemTitle({ title, ...step }: { title: string; may: boolean; href: string; label: string }) {
  const link = (
    <Link href={step.href} className="font-medium underline underline-offset-2">
      {step.may ? title : step.label}
    </Link>
  );
  if (step.may) return <>{link}.</>;
  return (
    <>
      <span className="font-medium">{title}</span>. {link}.
    </>
  );
}

/** The number of checks in each state, in one line. */
export function CheckSummary({ checks }: { checks: readonly CheckView[] }) {
  const count = (...states: CheckState[]) => checks.filter(({ state }) => states.includes(state)).length;
  const wrong = count("critical", "warning");
  const hints = count("hint");
  return (
    <>
      {count("good")} good, {formatCount(wrong, "problem")}, {formatCount(hints, "hint")}.
    </>
  );
}
