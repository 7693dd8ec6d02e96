import Link from "next/link";
import { useEffect } from "react";
import { SearchResult } from "./search-result";
import type { Hit } from "./use-search-index";

interface Props {
  hits: readonly Hit[];
  active: number;
  go: (index: number) => void;
}

/** The results below the field. The field keeps the focus, also when the mouse is pressed. */
export function ResultList({ hits, active, go }: Props) {
  useEffect(() => {
    document.getElementById(`docs-result-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div className="fixed inset-x-3 top-14 z-40 max-h-[70dvh] overflow-y-auto rounded-xl border border-line bg-raised p-1.5 shadow-xl sm:absolute sm:inset-x-auto sm:top-11 sm:right-0 sm:w-112">
      <div id="docs-results" role="listbox" aria-label="Results">
        {hits.map(({ section, terms }, index) => (
          <Link
            key={section.id}
            id={`docs-result-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            href={section.href}
            prefetch={false}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(index)}
            className="grid gap-0.5 rounded-lg px-3 py-2 hover:bg-subtle aria-selected:bg-subtle"
          >
            <SearchResult section={section} terms={terms} />
          </Link>
        ))}
      </div>
      {hits.length === 0 && (
        <p className="px-3 py-4 text-center text-sm text-muted">No results. Try fewer or different words.</p>
      )}
    </div>
  );
}
