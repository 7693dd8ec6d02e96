import type { ReactNode } from "react";

interface Props {
  title: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** The title of a page, one line about it, and its main action. */
export function PageHeader({ title, action, children }: Props) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {children && <p className="text-sm text-muted">{children}</p>}
      </div>
      {action}
    </header>
  );
}
