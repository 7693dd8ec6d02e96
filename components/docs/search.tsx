"use client";

import { Search } from "lucide-react";
import { type MouseEvent, useEffect, useState } from "react";
import { SearchKey, useSearchDialog } from "@/components/ui/search-key";

const loadDialog = () => import("./search-dialog").then(({ SearchDialog }) => SearchDialog);

/** Calls `run` when ⌘K, Ctrl K or `/` is pressed. In a field, the slash is typed as usual. */
function useSearchKeys(run: (open: true) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const palette = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
      const typing = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
      const slash = event.key === "/" && !typing && !event.metaKey && !event.ctrlKey && !event.altKey;
      if (!palette && !slash) return;
      event.preventDefault();
      run(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [run]);
}

/** The button that opens the search. Without scripts it leads to the search as a page. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  useSearchKeys(setOpen);
  const close = () => setOpen(false);
  const SearchDialog = useSearchDialog(open, loadDialog, close);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <a
        href="/docs/search"
        onClick={onClick}
        aria-keyshortcuts="Meta+K Control+K /"
        className="flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm text-muted shadow-xs hover:border-line-strong hover:text-ink sm:w-64"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="flex-1">
          Search<span className="sr-only"> the documentation</span>
        </span>
        <SearchKey />
      </a>
      {SearchDialog && <SearchDialog onClose={close} />}
    </>
  );
}
