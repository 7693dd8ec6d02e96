/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { script } from "./script";
import { style } from "./style";

interface Props {
  title: string;
  /** Further lines of the head. */
  head?: Child;
  children: Child;
}

/** The frame of every landing page; complete without the script. */
export function Document({ title, head, children }: Props) {
  return (
    <html lang="en">
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
      </head>
      <body>
        {children}
        <script>{raw(script)}</script>
      </body>
    </html>
  );
}
