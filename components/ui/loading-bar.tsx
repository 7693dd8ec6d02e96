"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { linkOf } from "./link";

let pending: string | undefined;
const listeners = new Set<() => void>();

function setPending(path: string | undefined): void {
  pending = path;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The path of the page that is being loaded. */
export const usePendingPath = (): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => pending,
    () => undefined,
  );

/** Shows that a page is loading, unless it is this one. */
export function announcePage({ pathname, search }: URL): void {
  const { location } = window;
  if (pathname !== location.pathname || search !== location.search) setPending(pathname);
}

/** A bar from the click on a link until its page is there. */
export function LoadingBar() {
  const loading = usePendingPath() !== undefined;
  const path = usePathname();
  const search = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that was loading is there
  useEffect(() => setPending(undefined), [path, search]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (link) announcePage(new URL(link.href));
    };
    // After the window's listeners, which may ask before the page is left, and before the framework's.
    document.addEventListener("click", onClick, { capture: true, signal });
    // A page that the browser had kept whole, with its bar.
    window.addEventListener("pageshow", () => setPending(undefined), { signal });
    return () => controller.abort();
  }, []);
  if (!loading) return null;
  return (
    <div role="progressbar" aria-label="Loading the page" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-[loading_10s_cubic-bezier(0.05,0.8,0.2,1)_forwards] bg-accent" />
    </div>
  );
}
