"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { formatCount } from "@/lib/contract/format";
import { ResultList } from "./result-list";
import { useSearchIndex } from "./use-search-index";

/** Searches guides and reference while the reader types. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const { hits, failed, warm, search } = useSearchIndex();
  const [text, setText] = useState("");
  const [decisions, setDecisions] = useState(false);
  const [active, setActive] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    dialog.current?.showModal();
    warm().catch(() => undefined);
  }, []);
  const run = (query: string, withDecisions: boolean) => {
    setText(query);
    setDecisions(withDecisions);
    setActive(0);
    void search(query, withDecisions);
  };
  const go = (href: string | undefined) => {
    if (!href) return;
    onClose();
    router.push(href);
  };
  const count = hits?.length ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    // In a search field, browsers use the first Escape to clear the text.
    if (event.key === "Escape") {
      event.preventDefault();
      return onClose();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || count === 0) return;
    event.preventDefault();
    setActive((at) => (at + step + count) % count);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Search the documentation"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={onKeyDown}
      className="mx-auto mt-[8dvh] max-h-[84dvh] w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl"
    >
      <form
        action="/docs/search"
        onSubmit={(event) => {
          if (!hits) return;
          event.preventDefault();
          go(hits[active]?.section.href);
        }}
      >
        <div className="relative border-b border-line">
          <Search className="pointer-events-none absolute top-4 left-4 size-4 text-muted" aria-hidden />
          <input
            name="q"
            type="search"
            role="combobox"
            autoComplete="off"
            maxLength={200}
            placeholder="Search guides and API reference"
            aria-label="Search terms"
            aria-expanded={count > 0}
            aria-controls={count > 0 ? "docs-results" : undefined}
            aria-activedescendant={count > 0 ? `docs-result-${active}` : undefined}
            onChange={({ target }) => run(target.value, decisions)}
            className="h-12 w-full bg-transparent pr-4 pl-11 text-lead outline-none placeholder:text-muted pointer-coarse:text-base"
          />
        </div>
        {hits && <ResultList hits={hits} active={active} go={go} />}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-note text-muted">
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              name="decisions"
              value="1"
              checked={decisions}
              onChange={({ target }) => run(text, target.checked)}
              className="size-4 accent-ink"
            />
            Include design decisions
          </label>
          <span className="max-sm:hidden" aria-hidden>
            ↑↓ to choose, Enter to open, Esc to close
          </span>
        </div>
        <p role="status" className={failed ? "px-4 pb-3 text-note text-bad" : "sr-only"}>
          {failed && "The search could not be loaded. Press Enter to search on a separate page."}
          {!failed && hits && formatCount(count, "result")}
        </p>
      </form>
    </dialog>
  );
}
