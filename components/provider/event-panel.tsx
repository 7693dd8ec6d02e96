import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { StatusBadge } from "@/components/ui/status-badge";
import { LocalTime } from "@/components/ui/time";
import type { Diagnosis, EventDetail } from "@/lib/contract/provider";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { EventFacts } from "./event-facts";
import { diagnosisLabels, VERDICT_LABELS } from "./labels";

interface Props {
  appPath: string;
  event: EventDetail;
  /** The reason why the event has no referral. */
  diagnosis?: Diagnosis | undefined;
  /** The payload as indented JSON. */
  payload: string;
  /** The list without this panel. */
  closeHref: string;
  /** The reader's role, if the menu of the connection offers to count web purchases. */
  countWebAs?: Role | undefined;
  actions?: ReactNode;
  children?: ReactNode;
}

const countWeb = (role: Role) =>
  ` If web shops should count, ${mayAct(role, "admin") ? "" : "ask an admin to "}choose Count web purchases in the connection’s menu, then replay it.`;

/** An event in full: its outcome, its ids and its payload. */
export function EventPanel({ appPath, event, diagnosis, payload, closeHref, ...rest }: Props) {
  const { countWebAs, actions, children } = rest;
  const { type, verdict, referralId, at, headers } = event;
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
        <StatusBadge status={verdict} looks={VERDICT_LABELS} />
        <span className="text-muted">
          {VERDICT_LABELS[verdict].why}
          {verdict === "ignored" && countWebAs && countWeb(countWebAs)}
        </span>
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
      <Folded title="Payload" text={payload} />
      {Object.keys(headers).length > 0 && (
        <Folded
          title="Headers, without credentials"
          text={Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
      )}
    </Section>
  );
}

function DiagnosisLine({ diagnosis }: { diagnosis: Diagnosis }) {
  const { name, advice } = diagnosisLabels(diagnosis);
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
        <CodeBlock text={text} label={`Copy ${title.toLowerCase()}`} />
      </div>
    </details>
  );
}
