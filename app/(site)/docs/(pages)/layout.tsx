import localFont from "next/font/local";
import type { ReactNode } from "react";
import { DocsNav } from "@/components/docs/nav";
import { DocsSearch } from "@/components/docs/search";
import { SiteHeader } from "@/components/site/header-footer";
import { docsLibrary } from "@/lib/web/docs/library";

/** Preloaded, unlike in `app/layout.tsx`, because nearly every paragraph here shows code and would wrap again. */
const geistMono = localFont({
  src: "../../../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  adjustFontFallback: false,
});

export default function DocsLayout({ children }: { children: ReactNode }) {
  // Sends the browser only the names and addresses in the list, not the text of generated pages.
  const groups = docsLibrary().groups.map(({ name, pages }) => ({
    name,
    pages: pages.map((page) => ({ href: page.href, name: page.name })),
  }));
  return (
    <div className={geistMono.variable}>
      <SiteHeader wide>
        <DocsSearch />
      </SiteHeader>
      <div className="mx-auto grid max-w-7xl grid-cols-1 px-5 sm:px-8 lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:gap-10 xl:grid-cols-[13.5rem_minmax(0,1fr)_13.5rem]">
        <DocsNav groups={groups} />
        {children}
      </div>
    </div>
  );
}
