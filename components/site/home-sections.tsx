import type { PropsWithChildren, ReactNode } from "react";
import { Code } from "@/components/ui/code";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import type { DocsCode } from "@/lib/contract/docs";
import { DIFFERENCES } from "./differences";

interface SectionProps extends PropsWithChildren {
  id: string;
  title: string;
  lead: ReactNode;
}

/** A section of the home page. */
export function HomeSection({ id, title, lead, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-6">
      <div className="grid max-w-2xl gap-2">
        <h2 id={id} className="text-2xl font-semibold tracking-tight text-balance sm:text-3xl">
          {title}
        </h2>
        <p className="text-pretty text-muted">{lead}</p>
      </div>
      {children}
    </section>
  );
}

const STEPS = [
  {
    name: "Share",
    call: "POST /api/referrer",
    text: "A user gets a metacode and a link to share. Both stay the same for good.",
  },
  {
    name: "Redeem",
    call: "POST /api/referee-redeem",
    text: "A friend enters the metacode and is assigned one unused store code that no one else gets.",
  },
  {
    name: "Confirm",
    call: "POST /api/providers/…",
    text: "The purchase is confirmed by your billing provider’s webhook, such as RevenueCat’s.",
  },
  {
    name: "Claim",
    call: "POST /api/referrer-claim",
    text: "After enough confirmed referrals, the user claims a reward code.",
  },
];

/** The whole referral loop in four calls. */
export function FourCalls() {
  return (
    <section aria-labelledby="flow" className="grid gap-6">
      <h3 id="flow" className="text-lg font-semibold tracking-tight">
        The whole loop in four calls
      </h3>
      <ol className="grid overflow-hidden rounded-xl border border-line bg-surface shadow-xs sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map(({ name, call, text }, index) => (
          <li
            key={name}
            className="-mt-px -ml-px grid content-start gap-2.5 border-t border-l border-line p-6"
          >
            <span className="text-note text-muted tabular-nums">{index + 1}</span>
            <h4 className="text-lead font-medium">{name}</h4>
            <p className="text-sm text-muted">{text}</p>
            <code className="pt-1 font-mono text-xs text-accent">{call}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A request and its response. */
export function RequestExample({ request, answer }: { request: DocsCode; answer: DocsCode }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Code {...request} lines={request.lines ?? []} />
      <Code {...answer} lines={answer.lines ?? []} />
    </div>
  );
}

/** The differences from other services, each with the page that proves it. */
export function DifferenceList() {
  return (
    <ol className="grid grid-cols-1 gap-x-10 gap-y-8 sm:grid-cols-2 sm:max-lg:*:last:col-span-2 lg:grid-cols-6 lg:*:col-span-2 lg:*:nth-[n+4]:col-span-3">
      {DIFFERENCES.map(({ title, text, proof }) => (
        <li key={title} className="grid content-start gap-2 border-t border-line pt-5">
          <h3 className="font-medium">{title}</h3>
          <p className="text-sm text-pretty text-muted">{text}</p>
          <Link
            href={proof.href}
            className="w-fit py-1 text-sm text-accent underline decoration-1 underline-offset-3 hover:decoration-2"
          >
            {proof.name}
          </Link>
        </li>
      ))}
    </ol>
  );
}

const FACTS = [
  "Embedded PostgreSQL, or your own from version 15",
  "One process or many, one machine or several",
  "No Redis required; Redis and Upstash are supported",
  "No account needed, no telemetry",
];

/** The command that starts the service, and what comes with it. */
export function SelfHost() {
  return (
    <div className="grid grid-cols-1 items-start gap-6 sm:grid-cols-2">
      <CodeBlock text="npm start" label="Copy the command" />
      <ul className="grid gap-2 text-sm text-muted">
        {FACTS.map((fact) => (
          <li key={fact} className="flex gap-2.5">
            <span aria-hidden className="text-good">
              ✓
            </span>
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
