/** @jsxImportSource hono/jsx */
import { html } from "hono/html";
import type { LandingFrame, LandingView, Notice } from "@/lib/contract/landing";
import { Document } from "./document";
import { descriptionOf, headingOf, titleOf } from "./headings";
import { LinkPreview } from "./link-preview";
import { OpenPage } from "./open-page";
import { AppLine, IsolatedText, StoreLinks } from "./parts";

/** The page of an invitation as HTML. All texts in it are escaped. */
export function renderInvitation(view: LandingView): string {
  return `<!doctype html>${view.state === "open" ? <OpenPage view={view} /> : <ClosedPage view={view} />}`;
}

/** A page with a single message as HTML. */
export function renderNotice(notice: Notice, frame: LandingFrame): string {
  return `<!doctype html>${<NoticePage notice={notice} frame={frame} />}`;
}

/** A text as HTML. */
export function escapeText(text: string): string {
  return String(html`${text}`);
}

/** A paused or ended invitation, announced before a visitor installs the app for it. */
function ClosedPage({ view }: { view: LandingView }) {
  return (
    <Document frame={view} title={titleOf(view)} accent={view.accent} head={<LinkPreview view={view} />}>
      <main>
        <header>
          <AppLine view={view} />
          <h1>
            <IsolatedText of={headingOf(view)} />
          </h1>
          <p class="lead">{descriptionOf(view)}</p>
        </header>
        <StoreLinks view={view} />
      </main>
    </Document>
  );
}

/** A page without an app, such as for an unknown link. */
function NoticePage({ notice, frame }: { notice: Notice; frame: LandingFrame }) {
  const title = frame.texts[notice];
  const text = frame.texts[`${notice}Text`];
  return (
    <Document frame={frame} title={title} head={<meta name="description" content={text} />}>
      <main>
        <header>
          <h1>{title}</h1>
          <p class="lead">{text}</p>
        </header>
      </main>
    </Document>
  );
}
