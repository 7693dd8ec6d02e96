"use client";

import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { toast } from "./toast";

const subscribe = () => () => undefined;

/** The keys that open the search, as this computer's keyboard shows them; before the scripts, as most do. */
export const useSearchKey = (): string =>
  useSyncExternalStore(
    subscribe,
    () => (/Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );

/** The keys that open the search, on the button that does the same. */
export function SearchKey() {
  return (
    <kbd className="rounded border border-line px-1.5 font-sans text-xs max-sm:hidden" aria-hidden>
      {useSearchKey()}
    </kbd>
  );
}

/**
 * The dialog of a search, loaded when it is first opened, because most visits never need it. Not by `dynamic`, whose failure
 * (offline or after an update) would replace the page and all its input with an error page.
 */
export function useSearchDialog<Props>(
  open: boolean,
  load: () => Promise<ComponentType<Props>>,
  onFail: () => void,
): ComponentType<Props> | undefined {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opening
  useEffect(() => {
    if (!open || Loaded) return;
    let waiting = true;
    load().then(
      (loaded) => setLoaded(() => loaded),
      () => {
        if (!waiting) return;
        onFail();
        toast("The search could not be loaded. Try again, or reload the page.");
      },
    );
    return () => {
      waiting = false;
    };
  }, [open]);
  return open ? Loaded : undefined;
}
