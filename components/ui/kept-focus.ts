import { type RefObject, useLayoutEffect } from "react";

/**
 * Moves the focus of a control that is removed with its row to the next row, else to the previous one, else to the page.
 * Otherwise the keyboard would start at the top again, and a screen reader would lose its place.
 */
export function useKeptFocus(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = control;
    return () => {
      // A layout effect's clean-up runs just before the control is removed from the page.
      if (!current?.contains(document.activeElement)) return;
      const row = current.closest("li, tr");
      const beside = row?.nextElementSibling ?? row?.previousElementSibling;
      const next =
        beside?.querySelector<HTMLElement>("a[href], button") ?? document.getElementById("content");
      next?.focus({ preventScroll: !beside });
    };
  }, [control]);
}
