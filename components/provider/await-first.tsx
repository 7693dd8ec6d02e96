"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";

const EVERY_MS = 4_000;
/** Long enough to set a provider up; a forgotten tab stops polling. */
const MAX_REFRESHES = 300;

/** Refreshes the page until what it waits for arrives. */
export function AwaitFirst({ children }: { children: ReactNode }) {
  const router = useRouter();
  useEffect(() => {
    let refreshes = 0;
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      refreshes += 1;
      if (refreshes > MAX_REFRESHES) return clearInterval(timer);
      router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <p role="status" className="flex items-center gap-2.5 text-sm text-muted">
      <span className="size-2 shrink-0 rounded-full bg-accent motion-safe:animate-pulse" aria-hidden />
      {children} It appears here as soon as it arrives.
    </p>
  );
}
