import type { ReactNode } from "react";
import type { DocsSection } from "@/lib/contract/docs";
import { excerptOf, type Marked, markWords } from "@/lib/contract/excerpt";

/** What a search found, as it is shown in the list below the field and on the page of results. */
export function Found({ section, words }: { section: DocsSection; words: readonly string[] }) {
  const { page, heading, text } = section;
  return (
    <>
      <span className="text-sm font-medium text-ink">
        <Hits of={markWords(heading, words)} />
        {heading !== page && <span className="font-normal text-muted"> · {page}</span>}
      </span>
      {text !== "" && (
        <span className="line-clamp-2 text-[13px] break-words text-muted">
          <Hits of={excerptOf(text, words)} />
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
