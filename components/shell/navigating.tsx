"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { linkOf } from "@/components/ui/link";
import {
  confirmLeaving,
  forgetInput,
  hasUnsaved,
  openOnline,
  registerLeaveQuestion,
} from "@/components/ui/unsaved";

/** Opens a page without a link, and asks about unsaved input first. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) =>
    confirmLeaving(() => {
      void openOnline(() => {
        forgetInput();
        router.push(href);
      });
    });
}

/** Asks before unsaved input is lost. */
export function LeaveWatch() {
  const [leaving, setLeaving] = useState<{ leave: () => void; sentence: string }>();
  useEffect(() => {
    const stop = watch();
    registerLeaveQuestion((leave, sentence) => setLeaving({ leave, sentence }));
    return () => {
      stop();
      registerLeaveQuestion(undefined);
    };
  }, []);
  const stay = () => setLeaving(undefined);
  return (
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
  );
}

/** Listens to the ways out of a page: links, the browser's Back and Forward, and the end of the document. */
function watch(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let followed: HTMLAnchorElement | undefined;
  const onClick = (event: MouseEvent) => {
    const link = linkOf(event);
    if (!link || link === followed || (navigator.onLine && !hasUnsaved())) return;
    event.preventDefault();
    event.stopPropagation();
    confirmLeaving(() => {
      void openOnline(() => {
        forgetInput();
        followed = link;
        link.click();
        followed = undefined;
      });
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
      // Hides the move from the framework. The browser has already made it, so it is undone first.
      event.stopImmediatePropagation();
      window.history.go(-steps);
      confirmLeaving(() => {
        forgetInput();
        window.history.go(steps);
      });
    }
    returning = !returning && hasUnsaved();
  };
  const onNavigate = () => {
    place = currentPlace();
  };
  // In the capture phase, before the framework's listeners follow the link or the move.
  window.addEventListener("click", onClick, { capture: true, signal });
  window.addEventListener("popstate", onMove, { capture: true, signal });
  window.addEventListener("beforeunload", onUnload, { signal });
  browserHistory()?.addEventListener("navigate", onNavigate, { signal });
  return () => controller.abort();
}

interface BrowserHistory extends EventTarget {
  currentEntry: { index: number } | null;
}

/** The Navigation API, which not every browser has; without it a move counts as one step back. */
const browserHistory = () => (window as { navigation?: BrowserHistory }).navigation;

const currentPlace = (): number | undefined => browserHistory()?.currentEntry?.index;
