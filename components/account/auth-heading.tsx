import type { ReactNode } from "react";

/** What a page before the dashboard is for. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="grid gap-1 text-center">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {children && <p className="text-sm text-pretty text-muted">{children}</p>}
    </header>
  );
}

/** The other ways on, below the form. */
export function AuthFooter({ children }: { children: ReactNode }) {
  return <p className="text-center text-sm text-muted">{children}</p>;
}
