import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { StatusBadge } from "@/components/ui/status-badge";
import { LocalTime } from "@/components/ui/time";
import { formatNumber } from "@/lib/contract/format";
import type { AttemptView, DeliveryView } from "@/lib/contract/webhook-events";
import { DELIVERY_LOOKS, deliveryHint } from "./delivery-status";

interface Props {
  delivery: DeliveryView;
  /** The list without this delivery. */
  closeHref: string;
  actions: ReactNode;
}

/** A delivery in full: its body, and every attempt with its response. */
export function DeliveryPanel({ delivery, closeHref, actions }: Props) {
  const { eventType, eventId, status, createdAt, dueAt, body, attempts } = delivery;
  return (
    <Section
      title={eventType}
      hint={<LocalTime at={createdAt} shape="second" />}
      action={
        <Link href={closeHref} scroll={false} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Close
        </Link>
      }
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
        <StatusBadge status={status} looks={DELIVERY_LOOKS} />
        <span className="text-muted">{deliveryHint(delivery)}</span>
        {dueAt && dueAt.getTime() > Date.now() && (
          <span className="text-muted">
            Next attempt <LocalTime at={dueAt} shape="second" />
          </span>
        )}
      </p>
      <p className="flex min-w-0 items-center gap-2 text-sm">
        <span className="shrink-0 text-muted">webhook-id</span>
        <code className="font-mono text-note wrap-anywhere">{eventId}</code>
        <CopyButton text={eventId} label="Copy the webhook-id" />
      </p>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      <CodeBlock text={indented(body)} label="Copy the body" />
      <ol
        aria-label="Attempts"
        className="grid grid-cols-1 divide-y divide-line rounded-lg border border-line"
      >
        {attempts.map((attempt) => (
          <li key={attempt.number} className="grid grid-cols-1 gap-2 p-3.5">
            <AttemptDetails attempt={attempt} />
          </li>
        ))}
      </ol>
      {attempts.length === 0 && <p className="text-sm text-muted">No attempt yet.</p>}
    </Section>
  );
}

function AttemptDetails({ attempt }: { attempt: AttemptView }) {
  const { number, at, ms, status, error, requestHeaders, headers, body } = attempt;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-medium">Attempt {number}</span>
        <Badge tone={error ? "bad" : "good"}>{status ?? "No response"}</Badge>
        <span className="text-note text-muted">
          <LocalTime at={at} shape="second" /> · {formatNumber(ms)} ms
        </span>
      </p>
      {error && <p className="text-sm text-bad">{error}</p>}
      <details>
        <summary className="w-fit cursor-pointer rounded-md py-1 text-note text-muted hover:text-ink">
          Request and response
        </summary>
        <div className="grid grid-cols-1 gap-2 pt-2">
          <CodeBlock text={headerLines(requestHeaders)} label={`Copy the headers of attempt ${number}`} />
          {headers && (
            <CodeBlock
              text={`${headerLines(headers)}\n\n${body ?? ""}`.trim() || "No headers, no body"}
              label={`Copy the response to attempt ${number}`}
            />
          )}
        </div>
      </details>
    </>
  );
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
