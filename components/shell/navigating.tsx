"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { askBefore, forgetInput, hasUnsaved, setLeaveQuestion } from "@/components/ui/unsaved";

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

/** Opens a page without a link: asks about unsaved input first, and shows at once that the page is loading. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) =>
    askBefore(() => {
      forgetInput();
      announce(new URL(href, window.location.href));
      router.push(href);
    });
}

/** Shows that a page is loading, unless it is this one. */
function announce({ pathname, search }: URL): void {
  const { location } = window;
  if (pathname !== location.pathname || search !== location.search) setPending(pathname);
}

/** The link of a click that replaces this page by another one of this site. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return undefined;
  if ((link.target !== "" && link.target !== "_self") || link.origin !== window.location.origin)
    return undefined;
  const { pathname, search } = window.location;
  return link.pathname === pathname && link.search === search ? undefined : link;
}

/** Shows a bar from the click on a link until its page is there, and asks before unsaved input is lost. */
export function NavigationWatch() {
  const [leaving, setLeaving] = useState<{ leave: () => void; sentence: string }>();
  const path = usePathname();
  const search = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that was loading is there
  useEffect(() => setPending(undefined), [path, search]);
  useEffect(() => {
    const stop = watch();
    setLeaveQuestion((leave, sentence) => setLeaving({ leave, sentence }));
    return () => {
      stop();
      setLeaveQuestion(undefined);
    };
  }, []);
  const stay = () => setLeaving(undefined);
  return (
    <>
      <LoadingBar />
      <Dialog
        open={leaving !== undefined}
        onClose={stay}
        title="Leave without saving?"
        description={leaving?.sentence}
      >
        <DialogActions>
          <Button variant="secondary" onClick={stay}>
            Keep editing
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              stay();
              leaving?.leave();
            }}
          >
            Leave
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function LoadingBar() {
  const loading = usePendingPath() !== undefined;
  if (!loading) return null;
  return (
    <div role="progressbar" aria-label="Loading the page" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-[loading_10s_cubic-bezier(0.05,0.8,0.2,1)_forwards] bg-accent" />
    </div>
  );
}

/** Listens to the ways out of a page: links, the browser's Back and Forward, and the end of the document. */
function watch(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const onClick = (event: MouseEvent) => {
    const link = linkOf(event);
    if (!link) return;
    if (!hasUnsaved()) return announce(new URL(link.href));
    event.preventDefault();
    event.stopPropagation();
    askBefore(() => {
      forgetInput();
      link.click();
    });
  };
  const onUnload = (event: BeforeUnloadEvent) => {
    if (hasUnsaved()) event.preventDefault();
  };
  let place = currentPlace();
  let returning = false;
  const onMove = (event: PopStateEvent) => {
    const steps = (currentPlace() ?? 0) - (place ?? 1);
    place = currentPlace();
    if (returning) event.stopImmediatePropagation();
    else if (hasUnsaved()) {
      // The framework must not see the move. The browser has made it already, so it is undone first.
      event.stopImmediatePropagation();
      window.history.go(-steps);
      askBefore(() => {
        forgetInput();
        window.history.go(steps);
      });
    }
    returning = !returning && hasUnsaved();
  };
  const onNavigate = () => {
    place = currentPlace();
  };
  // Before the listeners of the framework, which would follow the link or the move.
  window.addEventListener("click", onClick, { capture: true, signal });
  window.addEventListener("popstate", onMove, { capture: true, signal });
  window.addEventListener("beforeunload", onUnload, { signal });
  // A page that the browser had kept whole, with its bar.
  window.addEventListener("pageshow", () => setPending(undefined), { signal });
  browserHistory()?.addEventListener("navigate", onNavigate, { signal });
  return () => controller.abort();
}

interface BrowserHistory extends EventTarget {
  currentEntry: { index: number } | null;
}

/** The Navigation API, which not every browser has; without it a move counts as one step back. */
const browserHistory = () => (window as { navigation?: BrowserHistory }).navigation;

const currentPlace = (): number | undefined => browserHistory()?.currentEntry?.index;
