import type { ReactNode } from "react";
import { type DocsHit, excerptOf, type Marked, markWords } from "@/lib/contract/docs-search";

/** One result of a search, in the list below the field and on the page of results. */
export function SearchResult({ section, terms }: Pick<DocsHit, "section" | "terms">) {
  const { page, heading, text } = section;
  return (
    <>
      <span className="text-sm font-medium text-ink">
        <Hits of={markWords(heading, terms)} />
        {heading !== page && <span className="font-normal text-muted"> · {page}</span>}
      </span>
      {text !== "" && (
        <span className="line-clamp-2 text-note break-words text-muted">
          <Hits of={excerptOf(text, terms)} />
        </span>
      )}
    </>
  );
}

function Hits({ of }: { of: readonly Marked[] }): ReactNode {
  return of.map(({ text, hit }, index) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: text does not move
      <mark key={index} className="rounded-xs bg-warn-soft text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
