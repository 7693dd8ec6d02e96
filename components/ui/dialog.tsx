"use client";

import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { askBefore } from "./unsaved";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** False when closing by accident would lose something: Escape and clicks on the backdrop do nothing. */
  dismissible?: boolean;
  children: ReactNode;
}

/** The browser's modal dialog, which traps the focus and restores it. Its content is mounted only while it is open. */
export function Dialog({ open, onClose, title, description, dismissible = true, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const leave = (event: SyntheticEvent) => {
    event.preventDefault();
    if (dismissible) askBefore(onClose, dialog.current ?? undefined);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onClose={onClose}
      onCancel={leave}
      onKeyDown={(event) => event.key === "Escape" && leave(event)}
      onClick={(event) => event.target === dialog.current && leave(event)}
      className="m-auto w-[min(29rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-0 text-left text-ink shadow-2xl"
    >
      {open && (
        <div className="grid gap-5 p-6">
          <header className="grid gap-1.5">
            <h2 id={`${id}-title`} className="text-base font-semibold tracking-tight">
              {title}
            </h2>
            {description && (
              <p id={`${id}-description`} className="text-sm text-muted">
                {description}
              </p>
            )}
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
