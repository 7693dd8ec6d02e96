"use client";

import { useEffect, useRef, useState } from "react";

const EVENT = "metacode:toast";
const SHOWN_MS = 4_000;

/** Shows a short message at the bottom of the page, which screen readers announce. */
export function toast(message: string): void {
  window.dispatchEvent(new CustomEvent(EVENT, { detail: message }));
}

/**
 * Renders toasts, once per page, in a popover, so that they lie above open dialogs. While closed, the popover is off-screen
 * instead of hidden, because not every screen reader announces a status that appears together with its text.
 */
export function Toaster() {
  const place = useRef<HTMLDivElement>(null);
  // An object, so that a repeated message is shown for its whole time again.
  const [shown, setShown] = useState<{ message: string }>();
  useEffect(() => {
    const show = (event: Event) => setShown({ message: String((event as CustomEvent).detail) });
    window.addEventListener(EVENT, show);
    return () => window.removeEventListener(EVENT, show);
  }, []);
  useEffect(() => {
    if (!shown) return;
    const { current } = place;
    current?.showPopover();
    const timer = setTimeout(() => {
      current?.hidePopover();
      setShown(undefined);
    }, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div
      ref={place}
      popover="manual"
      role="status"
      className="not-open:sr-only block fixed inset-x-0 top-auto bottom-6 mx-auto w-fit max-w-[calc(100vw-2rem)] rounded-lg bg-ink px-4 py-2.5 text-sm wrap-anywhere text-page shadow-lg"
    >
      {shown?.message}
    </div>
  );
}
