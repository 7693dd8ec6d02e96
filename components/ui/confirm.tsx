"use client";

import { type ReactNode, useState } from "react";
import type { FormAction } from "@/lib/contract/form-state";
import { isTyped } from "@/lib/contract/format";
import { doneText } from "./act-button";
import { Dialog } from "./dialog";
import { DialogButton, type DialogButtonProps } from "./dialog-button";
import { Field, FormError, FormErrors, HiddenFields, inputClass } from "./field";
import { FormActions } from "./form-actions";
import { toast } from "./toast";
import { useForm } from "./use-form";

/** A question that a dialog asks before an action runs. */
export interface ConfirmQuestion<Result> {
  action: FormAction<Result>;
  /** Ids of the changed rows, sent with the form. */
  hidden: Record<string, string>;
  title: string;
  /** The consequences, and whether they can be undone. */
  description: ReactNode;
  /** The label of the confirming button. */
  submit: string;
  danger?: boolean;
  /** A text that must be typed before something is lost forever. */
  typed?: string | undefined;
  /** The toast afterwards; by the status in the result where there are several. */
  done?: string | Record<string, string>;
  onDone?: (result: Result) => void;
  children?: ReactNode;
}

type DialogProps<Result> = ConfirmQuestion<Result> & { open: boolean; onClose: () => void };

/** A dialog that asks before an action runs. Its parent opens it. */
export function ConfirmDialog<Result>({ open, onClose, ...question }: DialogProps<Result>) {
  return (
    <Dialog open={open} onClose={onClose} title={question.title}>
      <ConfirmForm {...question} onClose={onClose} />
    </Dialog>
  );
}

function ConfirmForm<Result>(question: ConfirmQuestion<Result> & { onClose: () => void }) {
  const { action, hidden, description, submit, danger, typed, done, onDone, onClose, children } = question;
  const [text, setText] = useState("");
  const { state, pending, props } = useForm(action, (result) => {
    onClose();
    if (done) toast(doneText(done, result));
    onDone?.(result);
  });
  const ready = typed === undefined || isTyped(typed, text);
  return (
    // An error below its field is not repeated above the buttons.
    <form {...props} className="grid gap-4 has-[[aria-invalid]]:[&>[role=alert]]:hidden">
      <HiddenFields values={hidden} />
      <div className="grid gap-2 text-sm text-muted">{description}</div>
      <FormErrors value={state}>{children}</FormErrors>
      {typed !== undefined && <TypedField typed={typed} text={text} onChange={setText} />}
      <FormError state={state} />
      <FormActions
        submit={submit}
        variant={danger ? "danger" : "primary"}
        pending={pending}
        disabled={!ready}
        onCancel={onClose}
      />
    </form>
  );
}

/** The reason of a change by hand, which the audit log shows. */
export function ReasonField({ placeholder }: { placeholder: string }) {
  const input = { required: true, maxLength: 80, autoComplete: "off", placeholder };
  return <Field label="Reason" name="reason" {...input} />;
}

interface TypedProps {
  typed: string;
  text: string;
  onChange: (text: string) => void;
}

function TypedField({ typed, text, onChange }: TypedProps) {
  return (
    <label className="grid gap-1.5 text-sm">
      <span>
        Type <strong className="font-semibold wrap-anywhere">{typed}</strong> to confirm
      </span>
      <input
        name="confirm"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className={inputClass}
      />
    </label>
  );
}

type ButtonProps<Result> = ConfirmQuestion<Result> &
  Pick<DialogButtonProps, "label" | "icon" | "ariaLabel" | "look">;

/** A button that asks before its action runs. */
export function ConfirmButton<Result>({ label, icon, ariaLabel, look, ...question }: ButtonProps<Result>) {
  return (
    <DialogButton
      label={label}
      icon={icon}
      ariaLabel={ariaLabel}
      look={{ variant: "secondary", ...look }}
      title={question.title}
    >
      {(close) => <ConfirmForm {...question} onClose={close} />}
    </DialogButton>
  );
}
