"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { isReachable } from "./catch-failure";

const EVERY_MS = 4_000;

/** Shown in place of the promise that the page updates itself. */
export const UNREACHABLE = "The server cannot be reached. This page updates when it answers again.";

/**
 * Refreshes the page every few seconds while it is visible and no dialog is open, at most `most` times. `lost` is true
 * while the server does not answer and the page stays as it is.
 */
export function useRefresh({ on = true, most = Number.POSITIVE_INFINITY } = {}) {
  const router = useRouter();
  const [lost, setLost] = useState(false);
  const [pending, start] = useTransition();
  useEffect(() => {
    if (!on) return;
    let left = most;
    let stopped = false;
    let asking = false;
    const refresh = async () => {
      if (asking || document.visibilityState === "hidden" || document.querySelector("dialog[open]")) return;
      if (left === 0) return stop();
      left -= 1;
      asking = true;
      const reachable = await isReachable();
      asking = false;
      if (stopped) return;
      setLost(!reachable);
      if (reachable) start(() => router.refresh());
    };
    const timer = setInterval(refresh, EVERY_MS);
    document.addEventListener("visibilitychange", refresh);
    const stop = () => {
      stopped = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
    return stop;
  }, [on, most, router]);
  return { lost: on && lost, pending };
}

/** Refreshes the page every few seconds while it is visible. */
export function AutoRefresh() {
  const { lost } = useRefresh();
  return (
    <p role="status" className="text-note text-muted">
      In progress. {lost ? UNREACHABLE : "This page updates automatically."}
    </p>
  );
}
