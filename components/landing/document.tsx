/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { LandingFrame } from "@/lib/contract/landing";
import { directionOf } from "@/lib/contract/landing-languages";
import { accentStyle } from "./accent";
import { Languages } from "./languages";
import { previewScript, script } from "./script";
import { style } from "./style";

interface Props {
  frame: LandingFrame;
  title: string;
  /** The owner's colour. */
  accent?: string | undefined;
  /** In the dashboard, where what is typed is shown at once. */
  preview?: boolean;
  /** Further lines of the head. */
  head?: Child;
  children: Child;
}

/** The frame of every landing page; complete without the script. */
export function Document({ frame, title, accent, preview = false, head, children }: Props) {
  return (
    <html lang={frame.language} dir={directionOf(frame.language)}>
      {/* biome-ignore lint/style/noHeadElement: a page of its own, outside the framework */}
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f4f3ef" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121316" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="data:," />
        {head}
        <style>{raw(style)}</style>
        {accent && <style>{raw(accentStyle(accent))}</style>}
      </head>
      <body>
        {children}
        {!preview && <Languages frame={frame} />}
        <script>{raw(preview ? previewScript : script)}</script>
      </body>
    </html>
  );
}
