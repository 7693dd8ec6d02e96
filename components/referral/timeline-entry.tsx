import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { LocalTime } from "@/components/ui/time";

interface Props {
  icon: LucideIcon;
  tone?: "plain" | "good" | "bad";
  at: Date;
  title: ReactNode;
  children?: ReactNode;
}

const TONE = {
  plain: "border-line bg-surface text-muted",
  good: "border-transparent bg-good-soft text-good",
  bad: "border-transparent bg-bad-soft text-bad",
};

/** An entry of a timeline. */
export function TimelineEntry({ icon: Icon, tone = "plain", at, title, children }: Props) {
  return (
    <li className="group relative grid grid-cols-[1.75rem_1fr] gap-x-3 pb-5 last:pb-0">
      <span className="absolute top-7 bottom-0 left-3.5 w-px bg-line group-last:hidden" aria-hidden />
      <span className={`grid size-7 place-items-center rounded-full border ${TONE[tone]}`}>
        <Icon className="size-3.5" aria-hidden />
      </span>
      <div className="grid min-w-0 grid-cols-1 gap-1.5 pt-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 text-sm">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          <span className="text-note text-muted">
            <LocalTime at={at} shape="second" />
          </span>
        </p>
        {children && (
          <div className="grid grid-cols-1 gap-1.5 text-note wrap-anywhere text-muted">{children}</div>
        )}
      </div>
    </li>
  );
}
