import { type RefObject, useLayoutEffect } from "react";

/**
 * Moves the focus of a control that goes away with its row to the row beside it, or else to the page. Otherwise the keyboard
 * would start at the top again, and a screen reader would lose its place.
 */
export function useKeptFocus(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = control;
    return () => {
      // The control is still in the page here, and is removed right after.
      if (!current?.contains(document.activeElement)) return;
      const row = current.closest("li, tr");
      const beside = row?.nextElementSibling ?? row?.previousElementSibling;
      const next =
        beside?.querySelector<HTMLElement>("a[href], button") ?? document.getElementById("content");
      next?.focus({ preventScroll: !beside });
    };
  }, [control]);
}
