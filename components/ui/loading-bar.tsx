"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";

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

/** The address of the page on the screen, which the address bar leaves before a step back has loaded its page. */
let shown: string | undefined;

/** Shows that a page is loading, unless it is this one. */
export function announcePage({ pathname, searchParams }: URL): void {
  setPending(`${pathname}?${searchParams}` === shown ? undefined : pathname);
}

/** A bar from the start of a navigation until its page is there. */
export function LoadingBar() {
  const loading = usePendingPath() !== undefined;
  const path = usePathname();
  const search = useSearchParams().toString();
  useEffect(() => {
    shown = `${path}?${search}`;
    setPending(undefined);
  }, [path, search]);
  useEffect(() => {
    // A page that the browser had kept whole, with its bar.
    const onShow = () => setPending(undefined);
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
  if (!loading) return null;
  return (
    <div role="progressbar" aria-label="Loading the page" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-[loading_10s_cubic-bezier(0.05,0.8,0.2,1)_forwards] bg-accent" />
    </div>
  );
}
