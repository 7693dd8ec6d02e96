/** @jsxImportSource hono/jsx */
import type { LandingFrame, Notice } from "@/lib/contract/landing";
import { Document } from "./document";

/** A page that has no app to speak of. */
export function NoticePage({ notice, frame }: { notice: Notice; frame: LandingFrame }) {
  const title = frame.texts[notice];
  return (
    <Document frame={frame} title={title}>
      <main>
        <header>
          <h1>{title}</h1>
          <p class="lead">{frame.texts[`${notice}Text`]}</p>
        </header>
      </main>
    </Document>
  );
}
