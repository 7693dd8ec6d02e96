"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import type { FindEndUsers } from "./end-user-search";
import type { Places } from "./switcher";

/** Loaded when it is first opened, because most visits never need it. */
const Palette = dynamic(() => import("./palette").then(({ Palette }) => Palette), { ssr: false });

interface Props {
  places: Places;
  find: FindEndUsers;
}

/** The button that opens the command palette, as do ⌘K and Ctrl K. */
export function PaletteButton({ places, find }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="Meta+K Control+K"
        className="flex h-9 shrink-0 items-center gap-2 rounded-md px-2.5 text-[13px] text-muted hover:bg-subtle hover:text-ink sm:border sm:border-line sm:bg-surface sm:shadow-xs"
      >
        <Search className="size-4" aria-hidden />
        <span className="max-sm:sr-only">Search</span>
        <kbd className="rounded border border-line px-1.5 font-sans text-[11px] max-sm:hidden" aria-hidden>
          ⌘K
        </kbd>
      </button>
      {open && <Palette places={places} find={find} onClose={() => setOpen(false)} />}
    </>
  );
}
