import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { LocalTime } from "@/components/ui/local-time";
import { Section } from "@/components/ui/section";
import type { EventView } from "@/lib/contract/provider";
import { VERDICT_WORDS } from "./verdicts";

interface Props {
  appPath: string;
  event: EventView;
  /** What the provider sent, as JSON on several lines. */
  payload: string;
  /** The list without this event opened. */
  closeHref: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** One event in full: what became of it, whom it is about, what was sent. */
export function EventPanel({ appPath, event, payload, closeHref, actions, children }: Props) {
  const { type, verdict, uids, eventId, referralId, at } = event;
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
      <dl className="grid grid-cols-1 gap-2 text-sm sm:grid-cols-[7rem_minmax(0,1fr)]">
        <dt className="text-muted">User ids</dt>
        <dd className="font-mono text-[13px] break-all">{uids.length > 0 ? uids.join(", ") : "None"}</dd>
        <dt className="text-muted">Event id</dt>
        <dd className="flex items-center gap-1">
          <code className="font-mono text-[13px] break-all">{eventId}</code>
          <CopyButton text={eventId} label="Copy the event id" />
        </dd>
      </dl>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      {children}
      <details className="grid grid-cols-1 gap-2">
        <summary className="w-fit rounded-md py-1 text-sm text-muted hover:text-ink">What was sent</summary>
        <div className="pt-2">
          <CodeBlock text={payload} label="Copy what was sent" />
        </div>
      </details>
    </Section>
  );
}
