import type { ReactNode } from "react";

interface Props {
  id: string;
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

/** A part of the front page under a title of its own. */
export function Part({ id, title, lead, children }: Props) {
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
