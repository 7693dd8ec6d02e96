/** @jsxImportSource hono/jsx */
import type { LandingView } from "@/lib/contract/landing";
import { storeLabel } from "./words";

/** The app by its icon, or its first letter where it has none, and its name. */
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

/** The stores as links; `lead` paints the first one as the thing to do. */
export function Stores({ view, lead }: { view: LandingView; lead: boolean }) {
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
