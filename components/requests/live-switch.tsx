"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";

const EVERY_MS = 3_000;

/** A switch that refreshes a list while the page is visible; open rows stay open. */
export function LiveSwitch() {
  const router = useRouter();
  const [on, setOn] = useState(false);
  const [pending, start] = useTransition();
  useEffect(() => {
    if (!on) return;
    const refresh = () => {
      if (document.visibilityState === "visible") start(() => router.refresh());
    };
    const timer = setInterval(refresh, EVERY_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [on, router]);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-busy={pending || undefined}
      onClick={() => setOn(!on)}
      className="inline-flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3.5 text-sm font-medium shadow-xs hover:bg-subtle pointer-coarse:h-11"
    >
      <span
        aria-hidden
        className={`size-2 rounded-full ${on ? "bg-good motion-safe:animate-pulse" : "bg-line-strong"}`}
      />
      Live
      <span className="text-muted">{on ? "on" : "off"}</span>
    </button>
  );
}
