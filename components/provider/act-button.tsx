"use client";

import type { ReactNode } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props<Result> {
  action: FormAction<Result>;
  /** Sent along: the ids of what is changed. */
  hidden: Record<string, string>;
  /** Said afterwards; by result where there are several ends. */
  done: string | Record<string, string>;
  ariaLabel?: string;
  look?: ButtonLook;
  children: ReactNode;
}

/** A button that does something at once, because it can be taken back or changes nothing twice. */
export function ActButton<Result>({ action, hidden, done, ariaLabel, look, children }: Props<Result>) {
  const { state, pending, props } = useForm(action, (result) => toast(words(done, result)));
  return (
    <form {...props} className="flex flex-wrap items-center gap-2">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" variant="secondary" size="sm" {...look} pending={pending} aria-label={ariaLabel}>
        {children}
      </Button>
      <span role="alert" className="text-[13px] text-bad empty:hidden">
        {state.error?.message}
      </span>
    </form>
  );
}

function words(done: string | Record<string, string>, result: unknown): string {
  if (typeof done === "string") return done;
  const status = typeof result === "object" && result !== null && "status" in result ? result.status : "";
  return done[String(status)] ?? "Done";
}
