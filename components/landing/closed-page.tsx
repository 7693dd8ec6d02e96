/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { Document } from "./document";
import { AppLine, Stores } from "./parts";
import { Preview } from "./preview";
import { descriptionOf, titleOf } from "./words";

/** An invitation that does not count now or any more. Says so before somebody installs an app for it. */
export function ClosedPage({ view }: { view: LandingView }) {
  const advice =
    view.state === "paused"
      ? "Keep the link and try again later, or ask the person who sent it."
      : "Ask the person who sent it whether there is a new one.";
  return (
    <Document title={titleOf(view)} head={<Preview view={view} />}>
      <main>
        <header>
          <AppLine name={view.appName} />
          <h1>{view.state === "paused" ? "This invitation is paused" : "This invitation has ended"}</h1>
          <p class="lead">
            {descriptionOf(view)} {advice}
          </p>
        </header>
        <Stores links={view.stores} lead={false} />
      </main>
    </Document>
  );
}
