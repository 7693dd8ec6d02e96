"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { isReachable } from "./catch-failure";
import { blockLeaving, confirmLeaving, hasUnsaved } from "./unsaved";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** False for content that is shown only once: Escape and clicks on the backdrop do nothing, and leaving the page asks first. */
  dismissible?: boolean;
  /** For a long form: two columns wide on a desktop, the whole screen of a phone, its buttons always in sight. */
  wide?: boolean | undefined;
  children: ReactNode;
}

// The scroll padding keeps a focused field above the buttons.
const WIDE =
  "w-[min(54rem,calc(100vw-2rem))] scroll-pb-24 max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0";

/** The browser's modal dialog, which traps the focus and restores it. Its content is mounted only while it is open. */
export function Dialog({ open, onClose, title, description, dismissible = true, wide, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const used = useRef(false);
  const router = useRouter();
  useEffect(() => {
    if (open) used.current = true;
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  useEffect(() => {
    const { current } = dialog;
    // The clean-up also runs when the dialog is removed with its parent.
    return open ? () => void refreshIfRefused(current, router) : undefined;
  }, [open, router]);
  useEffect(
    () => () => {
      // If a dialog has deleted its own row, the focus is lost, and the keyboard would start again at the top of the page.
      const lost = used.current && document.activeElement === document.body;
      if (lost) document.getElementById("content")?.focus({ preventScroll: true });
    },
    [],
  );
  const held = open && !dismissible;
  useEffect(
    () => (held ? blockLeaving("The dialog shows something that cannot be shown again.") : undefined),
    [held],
  );
  // A form that is being sent stays until its outcome, which may be a secret or an error, can be shown.
  const mayLeave = () => dismissible && !dialog.current?.querySelector("[type=submit][aria-disabled]");
  const leave = () => mayLeave() && confirmLeaving(onClose, dialog.current ?? undefined);
  const onDismiss = (event: SyntheticEvent<HTMLDialogElement>) => {
    // The browser closes a dialog itself when nothing is lost.
    if (mayLeave() && !hasUnsaved(event.currentTarget)) return;
    event.preventDefault();
    leave();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      // The event comes late, when the dialog may be open again.
      onClose={() => !dialog.current?.open && onClose()}
      onCancel={onDismiss}
      onKeyDown={(event) => event.key === "Escape" && onDismiss(event)}
      onClick={(event) => event.target === dialog.current && leave()}
      data-wide={wide || undefined}
      className={`group/dialog m-auto rounded-xl border border-line bg-raised p-0 text-left text-ink shadow-2xl ${wide ? WIDE : "w-[min(29rem,calc(100vw-2rem))]"}`}
    >
      {open && (
        <div className="grid grid-cols-1 gap-5 p-6 wrap-anywhere">
          <div className="grid gap-1.5">
            <h2 id={`${id}-title`} className="text-base font-semibold tracking-tight">
              {title}
            </h2>
            {description && (
              <p id={`${id}-description`} className="text-sm text-muted">
                {description}
              </p>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** Refreshes the page behind a closing dialog whose form was refused or got no response, because the page may be stale. */
export async function refreshIfRefused(dialog: HTMLDialogElement | null, router: { refresh: () => void }) {
  if (!dialog?.hasAttribute("data-refused")) return;
  dialog.removeAttribute("data-refused");
  if (!(await isReachable())) return;
  // The refresh may remove a row whose dialog was opened meanwhile, with all input, so it waits until that dialog closes.
  const opened = document.querySelector("#content dialog[open]");
  if (opened) opened.setAttribute("data-refused", "");
  else router.refresh();
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse gap-2 group-data-wide/dialog:sticky group-data-wide/dialog:bottom-0 group-data-wide/dialog:-mx-6 group-data-wide/dialog:-mb-6 group-data-wide/dialog:flex-row group-data-wide/dialog:justify-end group-data-wide/dialog:border-t group-data-wide/dialog:border-line group-data-wide/dialog:bg-raised group-data-wide/dialog:px-6 group-data-wide/dialog:py-4 sm:flex-row sm:justify-end">
      {children}
    </div>
  );
}
