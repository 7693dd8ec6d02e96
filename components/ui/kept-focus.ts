import { type RefObject, useLayoutEffect } from "react";

/**
 * Gives the focus of a control that goes away with its row to the row beside it, else to the page: the keyboard would start
 * again at the top, and a screen reader would be nowhere.
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
