import type { ReactNode } from "react";

/** A form with its preview beside it; on narrow screens below. */
export function FormLayout({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="grid min-w-0 gap-5">{children}</div>
      <div className="min-w-0 xl:sticky xl:top-6">{preview}</div>
    </div>
  );
}
