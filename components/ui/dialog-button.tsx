"use client";

import type { LucideIcon } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
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
  /** Whether this is the main dialog of its page, which `?new` in the address opens, as for the palette's actions. */
  byAddress?: boolean;
  /** A long form. */
  wide?: boolean;
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
  byAddress = false,
  wide,
  description,
  children,
}: DialogButtonProps) {
  const [open, setOpen] = useState(false);
  const path = usePathname();
  const wanted = useSearchParams().has("new") && byAddress;
  useEffect(() => {
    if (wanted) setOpen(true);
  }, [wanted]);
  const close = () => {
    setOpen(false);
    // A reload must not open it again.
    if (wanted) window.history.replaceState(null, "", path);
  };
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)} aria-label={ariaLabel}>
        {Icon && <Icon className="size-4" aria-hidden />}
        {label}
      </Button>
      <Dialog open={open} title={title} description={description} onClose={close} wide={wide}>
        {children(close)}
      </Dialog>
    </>
  );
}
