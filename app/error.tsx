"use client";

import { Button } from "@/components/ui/button";

interface Props {
  error: Error & { digest?: string };
  reset: () => void;
}

/** What a page shows when it cannot be made; the cause is in the log under the same number. */
export default function ErrorPage({ error, reset }: Props) {
  return (
    <main className="grid min-h-[70dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">This page could not be made</h1>
          <p className="text-sm text-muted">
            It is our fault, and usually passes.
            {error.digest && (
              <>
                {" "}
                Number <code className="font-mono">{error.digest}</code>.
              </>
            )}
          </p>
        </div>
        <Button variant="secondary" onClick={reset}>
          Try again
        </Button>
      </div>
    </main>
  );
}
