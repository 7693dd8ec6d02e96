/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { Document } from "./document";
import { AppLine, Stores } from "./parts";
import { Preview } from "./preview";
import { Text } from "./text";
import { descriptionOf, headingOf, titleOf } from "./words";

/** An invitation that does not count now or any more. Says so before somebody installs an app for it. */
export function ClosedPage({ view }: { view: LandingView }) {
  return (
    <Document frame={view} title={titleOf(view)} accent={view.accent} head={<Preview view={view} />}>
      <main>
        <header>
          <AppLine view={view} />
          <h1>
            <Text of={headingOf(view)} />
          </h1>
          <p class="lead">{descriptionOf(view)}</p>
        </header>
        <Stores view={view} lead={false} />
      </main>
    </Document>
  );
}
