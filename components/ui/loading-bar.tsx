"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";

let pending: URL | undefined;
const listeners = new Set<() => void>();

function setPending(page: URL | undefined): void {
  pending = page;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const none = () => undefined;

/** The path of the page that is being loaded. */
export const usePendingPath = () => useSyncExternalStore(subscribe, () => pending?.pathname, none);

/** The address of the page on the screen. On a step back, the address bar changes before the page is loaded. */
let shown: string | undefined;

/** Shows that a page is loading, unless it is the page on the screen. */
export function announcePage(page: URL): void {
  setPending(`${page.pathname}?${page.searchParams}` === shown ? undefined : page);
}

/** Milliseconds until a page is loaded as a document: React can miss that its data has arrived (vercel/next.js#98303). */
const PATIENCE_MS = 30_000;

/** A bar from the start of a navigation until its page is shown. */
export function LoadingBar() {
  const loading = usePendingPath();
  const address = `${usePathname()}?${useSearchParams()}`;
  useEffect(() => {
    shown = address;
    setPending(undefined);
  }, [address]);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => pending && window.location.assign(pending), PATIENCE_MS);
    // The browser restored a page from its cache, together with the bar.
    const onShow = () => setPending(undefined);
    window.addEventListener("pageshow", onShow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pageshow", onShow);
    };
  }, [loading]);
  if (!loading) return null;
  return (
    <div role="progressbar" aria-label="Loading the page" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-[loading_10s_cubic-bezier(0.05,0.8,0.2,1)_forwards] bg-accent" />
    </div>
  );
}
