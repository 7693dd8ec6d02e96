import type { ReactNode } from "react";

const TONES = {
  neutral: "bg-subtle text-muted",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  accent: "bg-accent-soft text-accent",
};

export type BadgeTone = keyof typeof TONES;

/** A short status in a coloured pill, whose text carries the meaning without the colour. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 items-center rounded-full px-2 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** The HTTP status of a response, in the tone of its class. */
export function StatusCode({ status }: { status: number }) {
  const tone = status < 400 ? "good" : status < 500 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
