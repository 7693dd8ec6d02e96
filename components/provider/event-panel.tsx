import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { LocalTime } from "@/components/ui/local-time";
import { Section } from "@/components/ui/section";
import type { Diagnosis, EventDetail } from "@/lib/contract/provider";
import { diagnosisWords } from "./diagnoses";
import { EventFacts } from "./event-facts";
import { VERDICT_WORDS } from "./verdicts";

interface Props {
  appPath: string;
  event: EventDetail;
  /** Why it has no referral, where it has none. */
  diagnosis?: Diagnosis | undefined;
  /** What the provider sent, as JSON on several lines. */
  payload: string;
  /** The list without this event opened. */
  closeHref: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** One event in full: what became of it, whom it is about, what was sent. */
export function EventPanel({ appPath, event, diagnosis, payload, closeHref, actions, children }: Props) {
  const { type, verdict, referralId, at, headers } = event;
  const words = VERDICT_WORDS[verdict];
  return (
    <Section
      title={type}
      hint={<LocalTime at={at} shape="second" />}
      action={
        <Link href={closeHref} scroll={false} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Close
        </Link>
      }
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
        <Badge tone={words.tone}>{words.name}</Badge>
        <span className="text-muted">{words.why}</span>
        {referralId && (
          <Link
            href={`${appPath}/referrals/${referralId}`}
            className="font-medium text-accent underline underline-offset-2"
          >
            Open the referral
          </Link>
        )}
      </p>
      {diagnosis && <DiagnosisLine diagnosis={diagnosis} />}
      <EventFacts event={event} />
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      {children}
      <Folded title="What was sent" text={payload} />
      {Object.keys(headers).length > 0 && (
        <Folded
          title="Headers, without proofs"
          text={Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
      )}
    </Section>
  );
}

function DiagnosisLine({ diagnosis }: { diagnosis: Diagnosis }) {
  const { name, advice } = diagnosisWords(diagnosis);
  return (
    <p className="text-sm">
      <strong className="font-semibold">{name}.</strong> <span className="text-muted">{advice}</span>
    </p>
  );
}

function Folded({ title, text }: { title: string; text: string }) {
  return (
    <details className="grid grid-cols-1 gap-2">
      <summary className="w-fit rounded-md py-1 text-sm text-muted hover:text-ink">{title}</summary>
      <div className="pt-2">
        <CodeBlock text={text} label={`Copy: ${title}`} />
      </div>
    </details>
  );
}
