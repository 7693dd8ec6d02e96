"use client";

import { Button } from "@/components/ui/button";

interface Props {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The page for an unexpected error. The log has the cause under the same id. */
export default function ErrorPage({ error, reset }: Props) {
  return (
    <main className="grid min-h-[70dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">Something went wrong on our side</h1>
          <p className="text-sm text-muted">
            Nothing was saved. Try again in a moment.
            {error.digest && (
              <>
                {" "}
                Error ID <code className="font-mono">{error.digest}</code>.
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
