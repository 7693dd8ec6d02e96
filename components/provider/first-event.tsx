"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 4_000;
/** Long enough to set a provider up; a forgotten tab does not ask for ever. */
const ASKS = 300;

/** Looks again and again while nothing has come, so that the first event is seen without reloading the page. */
export function FirstEvent({ provider }: { provider: string }) {
  const router = useRouter();
  useEffect(() => {
    let asks = 0;
    const timer = setInterval(() => {
      if (document.visibilityState === "hidden") return;
      asks += 1;
      if (asks > ASKS) return clearInterval(timer);
      router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <p role="status" className="flex items-center gap-2.5 text-sm text-muted">
      <span className="size-2 shrink-0 rounded-full bg-accent motion-safe:animate-pulse" aria-hidden />
      Waiting for the first event of {provider}. It shows here as soon as it arrives.
    </p>
  );
}
