import type { ReactNode } from "react";

interface Props {
  title: string;
  /** One line about the content. */
  hint?: ReactNode;
  action?: ReactNode;
  /** `danger` for actions that end or delete something. */
  tone?: "plain" | "danger";
  children: ReactNode;
}

/** A card with a heading. */
export function Section({ title, hint, action, tone = "plain", children }: Props) {
  return (
    <section
      aria-label={title}
      className={`rounded-xl border bg-surface shadow-xs ${tone === "danger" ? "border-bad/40" : "border-line"}`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3.5">
        <div className="grid min-w-0 gap-0.5 wrap-anywhere">
          <h2 className="text-sm font-semibold">{title}</h2>
          {hint && <p className="text-note text-muted">{hint}</p>}
        </div>
        {action}
      </header>
      <div className="grid grid-cols-1 gap-4 p-5">{children}</div>
    </section>
  );
}

interface ListSectionProps {
  title: string;
  action?: ReactNode;
  /** A list or table with its own frame. */
  children: ReactNode;
}

/** A heading above a list with its own frame. */
export function ListSection({ title, action, children }: ListSectionProps) {
  return (
    <div className="grid grid-cols-1 gap-2.5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-sm font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </div>
  );
}
