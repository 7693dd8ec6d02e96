/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { Platform } from "@/lib/contract/fields";
import type { LandingQrCode, LandingView } from "@/lib/contract/landing";

/** The icon of the app, or its initial, and its name. */
export function AppLine({ view: { appName, icon } }: { view: LandingView }) {
  const [initial = ""] = [...appName.toUpperCase()];
  return (
    <p class="app">
      {icon ? (
        // biome-ignore lint/performance/noImgElement: a separate page, outside the framework
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

/** The logos of the stores, in a box of 24 units. */
const LOGO: Record<Platform, Child> = {
  ios: (
    <path d="M12.15 6.9c-.95 0-2.41-1.08-3.96-1.04-2.04.03-3.91 1.18-4.96 3.01-2.12 3.68-.55 9.1 1.52 12.09 1.01 1.46 2.21 3.09 3.79 3.04 1.52-.06 2.09-.99 3.93-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.68-1.48 3.68-2.95 1.16-1.69 1.64-3.32 1.66-3.41-.04-.01-3.18-1.22-3.22-4.86-.03-3.04 2.48-4.49 2.6-4.56-1.43-2.09-3.62-2.32-4.39-2.38-2-.16-3.67 1.1-4.61 1.1ZM15.53 3.83c.84-1.01 1.4-2.43 1.24-3.83-1.21.05-2.66.8-3.53 1.82-.78.9-1.45 2.34-1.27 3.71 1.34.11 2.72-.68 3.56-1.7" />
  ),
  android: (
    <>
      <path fill="#00d0ff" d="M3 1.5v21L13.5 12Z" />
      <path fill="#00f076" d="m3 1.5 14 7L13.5 12Z" />
      <path fill="#ff3a44" d="m3 22.5 14-7-3.5-3.5Z" />
      <path fill="#ffd500" d="m17 8.5 5 3.5-5 3.5-3.5-3.5Z" />
    </>
  ),
};

/** The name of a store with the ending that some languages give it. */
const STORE_NAME = /((?:App Stor|Google Play)[\p{Script=Latin}’-]*)/u;

/**
 * The badges of the stores, the one for the visitor's phone first. They have the official proportions and layout, with the
 * store's name on its own line; the rest of the sentence is above or below it, depending on the language.
 */
export function StoreLinks({ view: { stores, texts } }: { view: LandingView }) {
  if (stores.length === 0) return null;
  return (
    <nav class="stores" aria-label={texts.stores}>
      {stores.map(({ platform, href }) => {
        const [before = "", name, after] = texts[STORE_TEXT[platform]].split(STORE_NAME);
        return (
          <a key={platform} class={`store ${platform}`} href={href} rel="noreferrer">
            <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
              {LOGO[platform]}
            </svg>
            <span>
              {before} <b>{name}</b> {after}
            </span>
          </a>
        );
      })}
    </nav>
  );
}

const STORE_TEXT = { ios: "appStore", android: "googlePlay" } as const;

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
