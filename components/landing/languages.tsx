/** @jsxImportSource hono/jsx */
import type { LandingFrame } from "@/lib/contract/landing";
import { LANDING_LANGUAGES, LANDING_TAGS } from "@/lib/contract/landing-languages";

/** The switcher: links, so that it works without script; each language under its own name. */
export function Languages({ frame: { language, texts } }: { frame: LandingFrame }) {
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
