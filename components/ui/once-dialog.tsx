"use client";

import type { ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";
import { CopyButton } from "./copy-button";
import { Dialog, DialogActions } from "./dialog";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** What it means that this is shown only now; none where it can be seen again. */
  warning: string | undefined;
  /** The words on the button that closes it. */
  done: string;
  children: ReactNode;
}

/** What is shown once. It does not close by accident; what is in it should be forgotten with it. */
export function OnceDialog({ warning, done, children, ...dialog }: Props) {
  return (
    <Dialog {...dialog} dismissible={false}>
      {children}
      {warning && <Callout tone="warn">{warning}</Callout>}
      <DialogActions>
        <Button onClick={dialog.onClose}>{done}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** A text to be copied: in one click, or selected in one. */
export function CopyLine({
  text,
  label,
  testId,
}: {
  text: string;
  label: string;
  testId?: string | undefined;
}) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-subtle py-1.5 pr-1.5 pl-3">
      <code data-testid={testId} className="flex-1 font-mono text-[13px] break-all select-all">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
