"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";

const EVERY_MS = 3_000;

/** Keeps a list fresh while it is switched on and the page is seen; what is open stays open. */
export function Live() {
  const router = useRouter();
  const [on, setOn] = useState(false);
  const [pending, start] = useTransition();
  useEffect(() => {
    if (!on) return;
    const look = () => {
      if (document.visibilityState === "visible") start(() => router.refresh());
    };
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
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
