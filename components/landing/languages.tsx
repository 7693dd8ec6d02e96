/** @jsxImportSource hono/jsx */
import type { LandingFrame } from "@/lib/contract/landing";
import { LANDING_LANGUAGES, LANDING_TAGS } from "@/lib/contract/landing-languages";

/** The switcher: links, so that it works without script; each language under its own name. */
export function Languages({ frame: { language, texts } }: { frame: LandingFrame }) {
  return (
    <footer>
      <details>
        <summary>
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
