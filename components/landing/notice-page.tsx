/** @jsxImportSource hono/jsx */
import { Document } from "./document";

const NOTICES = {
  unknown: {
    title: "This link leads to no invitation",
    text: "There may be a letter missing. Check the link, or ask the person who sent it for a new one.",
  },
  unavailable: {
    title: "Back in a moment",
    text: "The invitation cannot be shown right now. Nothing is lost: try the same link again shortly.",
  },
} as const;

export type Notice = keyof typeof NOTICES;

/** A page that has no app to speak of. */
export function NoticePage({ notice }: { notice: Notice }) {
  const { title, text } = NOTICES[notice];
  return (
    <Document title={title}>
      <main>
        <header>
          <h1>{title}</h1>
          <p class="lead">{text}</p>
        </header>
      </main>
    </Document>
  );
}
