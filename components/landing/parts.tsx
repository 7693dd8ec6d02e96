/** @jsxImportSource hono/jsx */
import type { LandingQrCode, LandingView } from "@/lib/contract/landing";
import { storeLabel } from "./headings";

/** The icon of the app, or its initial, and its name. */
export function AppLine({ view: { appName, icon } }: { view: LandingView }) {
  const [initial = ""] = [...appName.toUpperCase()];
  return (
    <p class="app">
      {icon ? (
        // biome-ignore lint/performance/noImgElement: a page of its own, outside the framework
        <img class="tile" src={icon} alt="" width="56" height="56" />
      ) : (
        <span class="tile" aria-hidden="true">
          {initial}
        </span>
      )}
      <bdi>{appName}</bdi>
    </p>
  );
}

/** Links to the stores. `lead` highlights the first one. */
export function StoreLinks({ view, lead }: { view: LandingView; lead: boolean }) {
  if (view.stores.length === 0) return null;
  return (
    <nav class="stores" aria-label={view.texts.stores}>
      {view.stores.map(({ platform, href }, index) => (
        <a key={platform} class={lead && index === 0 ? "store first" : "store"} href={href} rel="noreferrer">
          {storeLabel(platform, view)}
        </a>
      ))}
    </nav>
  );
}

/** A name that a user chose, between two isolate marks. */
const NAME = /\u2068([^\u2068\u2069]*)\u2069/;

/** A text in which each name keeps its own writing direction. */
export function IsolatedText({ of }: { of: string }) {
  // Every second piece is a name.
  const pieces = of
    .split(NAME)
    .map((piece, index) => (index % 2 === 1 ? <bdi key={piece}>{piece}</bdi> : piece));
  return <>{pieces}</>;
}

/** A QR code, black on white in both colour schemes. */
export function QrCode({ code: { size, path }, label }: { code: LandingQrCode; label: string }) {
  return (
    <figure class="qr">
      <svg viewBox={`0 -.5 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={path} stroke="#000" />
      </svg>
      <figcaption aria-hidden="true">{label}</figcaption>
    </figure>
  );
}
