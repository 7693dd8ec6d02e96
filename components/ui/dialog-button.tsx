"use client";

import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, type ButtonLook } from "./button";
import { Dialog } from "./dialog";

export interface DialogButtonProps {
  /** The words on the button. */
  label: string;
  icon?: LucideIcon | undefined;
  /** Where the words alone do not tell rows apart. */
  ariaLabel?: string | undefined;
  look?: ButtonLook | undefined;
  title: string;
  description?: ReactNode;
  /** What the dialog holds, given the way to close it. */
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
      <Dialog {...{ open, title, description }} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}
