"use client";

import type { ReactNode } from "react";
import type { FormAction } from "@/lib/contract/form-state";
import { Button, type ButtonLook } from "./button";
import { HiddenFields } from "./hidden-fields";
import { toast } from "./toast";
import { useForm } from "./use-form";

interface Props<Result> {
  action: FormAction<Result>;
  /** Sent along: the ids of what is changed. */
  hidden: Record<string, string>;
  /** Said afterwards; by result where there are several ends. */
  done?: string | Record<string, string>;
  ariaLabel?: string;
  look?: ButtonLook;
  children: ReactNode;
}

/** A button that does something at once, because it can be taken back or changes nothing twice. */
export function ActButton<Result>({ action, hidden, done, ariaLabel, look, children }: Props<Result>) {
  const { state, pending, props } = useForm(
    action,
    done === undefined ? undefined : (result) => toast(words(done, result)),
  );
  return (
    <form {...props} className="flex flex-wrap items-center gap-2">
      <HiddenFields values={hidden} />
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
