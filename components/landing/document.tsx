/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { LandingFrame, PreviewScheme } from "@/lib/contract/landing";
import {
  directionOf,
  LANDING_LANGUAGES,
  LANDING_TAGS,
  type LandingLanguage,
} from "@/lib/contract/landing-languages";
import { accentStyle } from "./accent";
import { landingScript, previewScript } from "./script";
import { inScheme, landingStyle } from "./style";

/**
 * Keeps hono/jsx from using AsyncLocalStorage, which only asynchronous components need. Before Node 24, its first use makes
 * every promise of the process, also of the API, four times as slow (measured). The library looks for the class once, at
 * its first rendering, which happens here while the class cannot be found.
 */
function renderWithoutStorage(): void {
  const { getBuiltinModule } = process;
  Reflect.set(process, "getBuiltinModule", undefined);
  try {
    String(<i />);
  } finally {
    Reflect.set(process, "getBuiltinModule", getBuiltinModule);
  }
}

renderWithoutStorage();

interface Props {
  frame: LandingFrame;
  title: string;
  /** The accent colour of the owner. */
  accent?: string | undefined;
  /** The colour scheme of a preview in the dashboard, where the page shows input at once. */
  preview?: PreviewScheme | undefined;
  /** Additional elements of the head. */
  head?: Child;
  children: Child;
}

/** The frame of every landing page, which works without the script. */
export function Document({ frame, title, accent, preview, head, children }: Props) {
  return (
    <html lang={frame.language} dir={directionOf(frame.language)}>
      {/* biome-ignore lint/style/noHeadElement: a separate page, outside the framework */}
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
        <style>{raw(inScheme(landingStyle, preview))}</style>
        {accent && <style>{raw(inScheme(accentStyle(accent), preview))}</style>}
      </head>
      <body>
        {children}
        {!preview && raw(languageLinks(frame))}
        <script>{raw(preview ? previewScript : landingScript)}</script>
      </body>
    </html>
  );
}

const switchers = new Map<LandingLanguage, string>();

/** The switcher as HTML, rendered once for each language: it is most of a page's elements and the same on every page. */
function languageLinks(frame: LandingFrame): string {
  const known = switchers.get(frame.language) ?? String(<LanguageLinks frame={frame} />);
  switchers.set(frame.language, known);
  return known;
}

/** The language switcher. Links, so that it works without scripts; each language has its own name. */
function LanguageLinks({ frame: { language, texts } }: { frame: LandingFrame }) {
  return (
    <footer>
      <details>
        <summary>
          <svg
            viewBox="0 0 20 20"
            width="20"
            height="20"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <path d="M10 1.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17c-5 5-5 12 0 17 5-5 5-12 0-17M1.5 10h17" />
          </svg>
          <span class="unseen">{texts.language}: </span>
          {LANDING_LANGUAGES[language]}
        </summary>
        <ul>
          {LANDING_TAGS.map((tag) => (
            <li key={tag}>
              <a
                href={`?lang=${tag}`}
                lang={tag}
                hreflang={tag}
                aria-current={tag === language ? "true" : undefined}
              >
                {LANDING_LANGUAGES[tag]}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </footer>
  );
}
