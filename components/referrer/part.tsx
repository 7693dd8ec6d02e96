import type { ReactNode } from "react";

interface Props {
  title: string;
  action?: ReactNode;
  /** A list, which has a frame of its own. */
  children: ReactNode;
}

/** A list under a heading, as one matter among others of a page. */
export function Part({ title, action, children }: Props) {
  return (
    <div className="grid gap-2.5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-sm font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </div>
  );
}
