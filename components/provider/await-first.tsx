"use client";

import type { ReactNode } from "react";
import { UNREACHABLE, useRefresh } from "@/components/ui/auto-refresh";

/** Long enough to set a provider up; a forgotten tab stops polling. */
const MAX_REFRESHES = 300;

/** Refreshes the page until the event, referral or purchase that `children` name arrives. */
export function AwaitFirst({ children }: { children: ReactNode }) {
  const { lost } = useRefresh({ most: MAX_REFRESHES });
  const dot = lost ? "bg-warn" : "bg-accent motion-safe:animate-pulse";
  return (
    <p role="status" className="flex items-center gap-2.5 text-sm text-muted">
      <span className={`size-2 shrink-0 rounded-full ${dot}`} aria-hidden />
      <span>
        {children} {lost ? UNREACHABLE : "It appears here as soon as it arrives."}
      </span>
    </p>
  );
}
