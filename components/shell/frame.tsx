import type { ReactNode } from "react";

/** A navigation beside the content, or above it on a phone. */
export function Frame({ nav, children }: { nav: ReactNode; children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8">
      {nav}
      <div className="group/frame grid min-w-0 grid-cols-1 content-start gap-6 pt-6 pb-24 lg:pt-8">
        {children}
      </div>
    </div>
  );
}
