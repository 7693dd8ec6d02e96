"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 4_000;
/** Long enough to set a provider up; a forgotten tab stops polling. */
const MAX_REFRESHES = 300;

/** Refreshes the page until the first event arrives. */
export function AwaitFirstEvent({ provider }: { provider: string }) {
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
      Waiting for the first event from {provider}. It appears here as soon as it arrives.
    </p>
  );
}
