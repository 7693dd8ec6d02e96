"use client";

import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, type ButtonLook } from "./button";
import { Dialog } from "./dialog";

export interface DialogButtonProps {
  /** The label of the button. */
  label: string;
  icon?: LucideIcon | undefined;
  /** A name for screen readers, when several rows have the same label. */
  ariaLabel?: string | undefined;
  look?: ButtonLook | undefined;
  title: string;
  description?: ReactNode;
  /** The content of the dialog; it receives the function that closes it. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({
  label,
  icon: Icon,
  ariaLabel,
  look,
  title,
  description,
  children,
}: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)} aria-label={ariaLabel}>
        {Icon && <Icon className="size-4" aria-hidden />}
        {label}
      </Button>
      <Dialog open={open} title={title} description={description} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}
