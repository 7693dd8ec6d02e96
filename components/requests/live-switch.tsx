"use client";

import { useState } from "react";
import { useRefresh } from "@/components/ui/auto-refresh";

const DOT = { on: "bg-good motion-safe:animate-pulse", off: "bg-line-strong", "no connection": "bg-warn" };

/** A switch that refreshes a list while the page is visible; open rows stay open. */
export function LiveSwitch() {
  const [on, setOn] = useState(false);
  const { lost, pending } = useRefresh({ on });
  const shown = lost ? "no connection" : on ? "on" : "off";
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-busy={pending || undefined}
      onClick={() => setOn(!on)}
      className="inline-flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3.5 text-sm font-medium shadow-xs hover:bg-subtle pointer-coarse:h-11"
    >
      <span aria-hidden className={`size-2 rounded-full ${DOT[shown]}`} />
      Live
      <span className="text-muted">{shown}</span>
    </button>
  );
}
