import { useEffect } from "react";
import { Link } from "@/components/ui/link";
import type { DocsHit } from "@/lib/contract/docs-search";
import { SearchResult } from "./search-result";

interface Props {
  hits: readonly DocsHit[];
  active: number;
  go: (href: string) => void;
}

/** The results below the field, which keeps the focus even when a result is clicked. */
export function ResultList({ hits, active, go }: Props) {
  useEffect(() => {
    document.getElementById(`docs-result-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  if (hits.length === 0)
    return (
      <p className="px-4 py-8 text-center text-sm text-muted">No results. Try fewer or different words.</p>
    );
  return (
    <div
      id="docs-results"
      role="listbox"
      aria-label="Results"
      className="max-h-[calc(84dvh-6.5rem)] overflow-y-auto p-1.5"
    >
      {hits.map(({ section, terms }, index) => (
        <Link
          key={section.id}
          id={`docs-result-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          href={section.href}
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            go(section.href);
          }}
          className="grid gap-0.5 rounded-lg px-3 py-2 hover:bg-subtle aria-selected:bg-subtle"
        >
          <SearchResult section={section} terms={terms} />
        </Link>
      ))}
    </div>
  );
}
