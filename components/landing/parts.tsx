/** @jsxImportSource hono/jsx */
import type { StoreLink } from "@/lib/contract/landing";
import { STORE_LABEL } from "./words";

/** The app by its first letter and name. */
export function AppLine({ name }: { name: string }) {
  const [initial = ""] = [...name.toUpperCase()];
  return (
    <p class="app">
      <span class="tile" aria-hidden="true">
        {initial}
      </span>
      <bdi>{name}</bdi>
    </p>
  );
}

/** The stores as links; `lead` paints the first one as the thing to do. */
export function Stores({ links, lead }: { links: StoreLink[]; lead: boolean }) {
  if (links.length === 0) return null;
  return (
    <nav class="stores" aria-label="Stores">
      {links.map(({ platform, href }, index) => (
        <a key={platform} class={lead && index === 0 ? "store first" : "store"} href={href} rel="noreferrer">
          {STORE_LABEL[platform]}
        </a>
      ))}
    </nav>
  );
}
