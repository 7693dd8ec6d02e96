"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { FormState } from "@/lib/contract/form-state";

interface Props {
  title: string;
  /** One line about the content. */
  hint: ReactNode;
  /** An error of one of these fields opens the fold. */
  fields: readonly string[];
  state: FormState;
  children: ReactNode;
}

/** A part of a form that opens at its heading, for fields that most readers can leave as they are. */
export function Fold({ title, hint, fields, state, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  const faulty = fields.includes(state.error?.field ?? "");
  // Not a controlled attribute, because a fold that the reader opened must not close when the error is gone.
  const [initially] = useState(faulty);
  useEffect(() => {
    if (details.current && fields.includes(state.error?.field ?? "")) details.current.open = true;
  }, [state, fields]);
  return (
    <details
      ref={details}
      open={initially}
      className="group rounded-xl border border-line bg-surface shadow-xs"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 rounded-xl px-5 py-3.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
          aria-hidden
        />
        <span className="grid gap-0.5">
          <span className="text-sm font-semibold">{title}</span>
          <span className="text-note text-muted">{hint}</span>
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-4 border-t border-line p-5">{children}</div>
    </details>
  );
}
