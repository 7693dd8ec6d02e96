"use client";

import { useSyncExternalStore } from "react";

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
