"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { formatCount } from "@/lib/contract/format";
import { ResultList } from "./result-list";
import { useSearchIndex } from "./use-search-index";

/** Focuses the field when `/` is pressed, except in another field. */
function useSlash(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const typing = target.closest("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || typing || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [focus]);
}

/** The search of the documentation. Without scripts it is a plain form that opens a page of results. */
export function DocsSearch() {
  const field = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const { hits, failed, warm, search } = useSearchIndex();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  useSlash(() => field.current?.focus());
  const shown = open && hits !== undefined;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const go = (index: number) => {
    const href = hits?.[index]?.section.href;
    if (!href) return;
    close();
    field.current?.blur();
    router.push(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = hits?.length ?? 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") return shown ? close() : field.current?.blur();
    if (event.key === "Enter" && shown && active >= 0) {
      event.preventDefault();
      return go(active);
    }
    if (!step || !shown || count === 0) return;
    event.preventDefault();
    setActive((at) => (at < 0 && step < 0 ? count - 1 : (at + step + count) % count));
  };
  return (
    <search className="relative w-full max-w-72 min-w-0">
      <form action="/docs/search">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
        <input
          ref={field}
          name="q"
          type="search"
          role="combobox"
          autoComplete="off"
          maxLength={200}
          placeholder="Search the docs"
          aria-label="Search the documentation"
          aria-keyshortcuts="/"
          aria-expanded={shown}
          aria-controls={shown ? "docs-results" : undefined}
          aria-activedescendant={shown && active >= 0 ? `docs-result-${active}` : undefined}
          onFocus={() => {
            warm().catch(() => undefined);
            setOpen(true);
          }}
          onBlur={close}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setOpen(true);
            setActive(-1);
            void search(target.value);
          }}
          className="h-9 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8.5 text-sm placeholder:text-muted pointer-coarse:text-base"
        />
      </form>
      {shown && <ResultList hits={hits} active={active} go={go} />}
      <span role="status" className="sr-only">
        {failed && "The search could not be loaded. Press Enter to search on a separate page."}
        {shown && formatCount(hits.length, "result")}
      </span>
    </search>
  );
}
