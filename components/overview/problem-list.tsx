import { ArrowRight, CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert } from "lucide-react";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import { nextStep, type Reader } from "@/lib/contract/integration-check";
import type { ProblemView, Severity } from "@/lib/contract/problems";

const LOOKS: Record<Severity, { Icon: LucideIcon; look: string; prefix: string }> = {
  critical: { Icon: OctagonAlert, look: "text-bad", prefix: "Urgent: " },
  warning: { Icon: TriangleAlert, look: "text-warn", prefix: "" },
  hint: { Icon: Info, look: "text-muted", prefix: "Hint: " },
};

interface Props {
  reader: Reader;
  problems: readonly ProblemView[];
  /** The line in place of an empty list. */
  empty: string;
  /** Whether to say when alerts were sent. */
  showSent?: boolean;
}

/** The problems of an app, the most urgent first, each with the page that solves it. */
export function ProblemList({ reader, problems, empty, showSent = false }: Props) {
  if (problems.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        {empty}
      </p>
    );
  }
  return (
    <ul className="@container -my-2 divide-y divide-line">
      {problems.map((problem) => (
        <ProblemItem
          key={`${problem.kind} ${problem.subject}`}
          reader={reader}
          problem={problem}
          showSent={showSent}
        />
      ))}
    </ul>
  );
}

type ItemProps = Pick<Props, "reader" | "showSent"> & { problem: ProblemView };

function ProblemItem({ reader, problem, showSent }: ItemProps) {
  const { severity, title, detail, notifiedAt } = problem;
  const { href, label } = nextStep(problem, reader);
  const { Icon, look, prefix } = LOOKS[severity];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-1 py-3 @xl:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden />
      <div className="grid gap-0.5">
        <p className="text-sm font-medium wrap-anywhere">
          <span className="sr-only">{prefix}</span>
          {title}
        </p>
        <p className="text-note wrap-anywhere text-muted">
          {detail}
          {showSent && notifiedAt && (
            <>
              {" "}
              Alert sent <RelativeTime at={notifiedAt} />.
            </>
          )}
        </p>
      </div>
      <Link
        href={href}
        aria-label={`${label}: ${title}`}
        className="col-start-2 -ms-1.5 inline-flex h-7 items-center gap-1 justify-self-start rounded-md px-1.5 text-note font-medium text-accent hover:bg-subtle @xl:col-start-3 @xl:ms-0"
      >
        {label}
        <ArrowRight className="size-3.5" aria-hidden />
      </Link>
    </li>
  );
}

/** A bar at the top of the page while people get no codes. */
export function CriticalProblems({ problems }: { problems: readonly ProblemView[] }) {
  const critical = problems.filter(({ severity }) => severity === "critical");
  const [first] = critical;
  if (!first) return null;
  return (
    <Callout tone="bad">
      <p>
        {first.title}.{" "}
        <a href="#problems" className="font-medium underline underline-offset-2">
          {critical.length > 1 ? `Show this and ${critical.length - 1} more` : "Show what to do"}
        </a>
      </p>
    </Callout>
  );
}
