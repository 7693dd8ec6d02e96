import type { ReactNode } from "react";

interface Props {
  title: string;
  /** A line on what is in it. */
  hint?: ReactNode;
  action?: ReactNode;
  /** For what ends or loses something. */
  tone?: "plain" | "danger";
  children: ReactNode;
}

/** A card with a heading: one matter of a page. */
export function Section({ title, hint, action, tone = "plain", children }: Props) {
  return (
    <section
      aria-label={title}
      className={`rounded-xl border bg-surface shadow-xs ${tone === "danger" ? "border-bad/40" : "border-line"}`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3.5">
        <div className="grid gap-0.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          {hint && <p className="text-[13px] text-muted">{hint}</p>}
        </div>
        {action}
      </header>
      <div className="grid grid-cols-1 gap-4 p-5">{children}</div>
    </section>
  );
}
