import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** What stands where a list has nothing yet: what belongs there, and how to begin. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-4 rounded-xl border border-dashed border-line px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-subtle">
        <Icon className="size-5 text-muted" aria-hidden />
      </span>
      <div className="grid max-w-sm gap-1">
        <h2 className="text-sm font-semibold">{title}</h2>
        <p className="text-sm text-muted">{children}</p>
      </div>
      {action}
    </div>
  );
}
