import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** One line about the content. */
  hint: ReactNode;
  /** Opens the fold, for example because a field inside has an error; the reader may close it again. */
  open: boolean;
  children: ReactNode;
}

/** A card that opens at its heading, for what most readers can leave as it is. */
export function Fold({ title, hint, open, children }: Props) {
  return (
    <details
      // A changed `open` has to win over what the reader did before.
      key={String(open)}
      open={open}
      className="group rounded-xl border border-line bg-surface shadow-xs"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 rounded-xl px-5 py-3.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
          aria-hidden
        />
        <span className="grid gap-0.5">
          <span className="text-sm font-semibold">{title}</span>
          <span className="text-[13px] text-muted">{hint}</span>
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-4 border-t border-line p-5">{children}</div>
    </details>
  );
}
