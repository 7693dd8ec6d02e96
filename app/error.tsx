"use client";

import { unstable_isUnrecognizedActionError } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

interface Props {
  error: Error & { digest?: string };
  reset: () => void;
}

/** The page for an unexpected error. The log has the cause under the same id. */
export default function ErrorPage({ error, reset }: Props) {
  // While a new version is rolled out, the page and the instance that got its form may be of two versions.
  const otherVersion: boolean = unstable_isUnrecognizedActionError(error);
  if (otherVersion) return <OtherVersion />;
  return (
    <Message
      title="Something went wrong on our side"
      button={
        <Button variant="secondary" onClick={reset}>
          Try again
        </Button>
      }
    >
      Nothing was saved. Try again in a moment.
      {error.digest && (
        <>
          {" "}
          Error ID <code className="font-mono">{error.digest}</code>.
        </>
      )}
    </Message>
  );
}

function OtherVersion() {
  return (
    <Message
      title="Metacode is being updated"
      button={<Button onClick={() => window.location.reload()}>Reload page</Button>}
    >
      This page and the server are of different versions, so nothing was saved. Reload the page and try again.
    </Message>
  );
}

function Message({ title, button, children }: { title: string; button: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-[70dvh] place-items-center px-5 text-center">
      <div className="grid max-w-sm justify-items-center gap-5">
        <div className="grid gap-1.5">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="text-sm text-muted">{children}</p>
        </div>
        {button}
      </div>
    </main>
  );
}
