"use client";

import type { ReactNode } from "react";
import type { FormAction } from "@/lib/contract/form-state";
import { Button, type ButtonLook } from "./button";
import { HiddenFields } from "./field";
import { useKeptFocus } from "./kept-focus";
import { toast } from "./toast";
import { useForm } from "./use-form";

interface Props<Result> {
  action: FormAction<Result>;
  /** Ids of the changed rows, sent with the form. */
  hidden: Record<string, string>;
  /** The toast afterwards; by the status in the result where there are several. */
  done?: string | Record<string, string>;
  ariaLabel?: string;
  look?: ButtonLook;
  children: ReactNode;
}

/** A button that acts without a confirmation, because its effect can be undone. */
export function ActButton<Result>({ action, hidden, done, ariaLabel, look, children }: Props<Result>) {
  const { state, pending, props } = useForm(
    action,
    done === undefined ? undefined : (result) => toast(doneText(done, result)),
  );
  useKeptFocus(props.ref);
  return (
    <form {...props} className="flex flex-wrap items-center gap-2">
      <HiddenFields values={hidden} />
      <Button type="submit" variant="secondary" size="sm" {...look} pending={pending} aria-label={ariaLabel}>
        {children}
      </Button>
      <span role="alert" className="text-note text-bad empty:hidden">
        {state.error?.message}
      </span>
    </form>
  );
}

/** The toast for a result: one text, or that of its status. */
export function doneText(done: string | Record<string, string>, result: unknown): string {
  if (typeof done === "string") return done;
  const status = typeof result === "object" && result !== null && "status" in result ? result.status : "";
  return done[String(status)] ?? "Done";
}
