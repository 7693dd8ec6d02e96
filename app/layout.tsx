import "./globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { LoadingBar } from "@/components/ui/loading-bar";
import { THEME_COOKIE } from "@/components/ui/theme";
import { Toaster } from "@/components/ui/toast";
import { env } from "@/lib/platform/env";

/** The Latin letters, less than half of the whole font. `globals.css` loads those of other scripts where they appear. */
const geist = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  variable: "--font-geist",
  weight: "100 900",
});

const geistMono = localFont({
  src: "../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  adjustFontFallback: false,
  // Most pages show code below the fold, if at all.
  preload: false,
});

/** A function, because the address is set when the service starts, not when it is built. */
export const generateMetadata = (): Metadata => ({
  metadataBase: new URL(env().APP_URL),
  title: { default: "Metacode", template: "%s · Metacode" },
  description: "Referral promo codes for mobile apps, from the first link to the claimed reward.",
});

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafafa" },
    { media: "(prefers-color-scheme: dark)", color: "#0a0a0a" },
  ],
};

/** Reading a cookie also makes every page dynamic, which the nonce of its scripts needs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = (await cookies()).get(THEME_COOKIE)?.value;
  const theme = chosen === "light" || chosen === "dark" ? chosen : undefined;
  return (
    <html lang="en" data-theme={theme} className={`${geist.variable} ${geistMono.variable}`}>
      <body className="min-h-dvh">
        <LoadingBar />
        {children}
        <Toaster />
      </body>
    </html>
  );
}
