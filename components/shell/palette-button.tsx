"use client";

import { Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { SearchKey, useSearchDialog } from "@/components/ui/search-key";
import { appOfPath, workspaceOfPath } from "./navigation";
import type { FindInApp } from "./palette";
import { type ShellPart, ShortcutSheet, useShortcuts } from "./shortcuts";
import type { Places } from "./switcher";

const loadPalette = () => import("./palette").then(({ Palette }) => Palette);

interface Props {
  places: Places;
  find: FindInApp;
  signOut: (form: FormData) => Promise<void>;
}

/** The button that opens the command palette, as do ⌘K, Ctrl K and `/`; and the other keyboard shortcuts. */
export function PaletteButton({ places, find, signOut }: Props) {
  const [opened, setOpened] = useState<ShellPart>();
  const path = usePathname();
  const [appId, workspaceId] = [appOfPath(path), workspaceOfPath(path)];
  useShortcuts({ places, appId, workspaceId, setOpened });
  const close = () => setOpened(undefined);
  const Palette = useSearchDialog(opened === "palette", loadPalette, close);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpened("palette")}
        aria-keyshortcuts="Meta+K Control+K /"
        className="flex h-9 shrink-0 items-center gap-2 rounded-md px-2.5 text-note text-muted hover:bg-subtle hover:text-ink sm:border sm:border-line sm:bg-surface sm:shadow-xs"
      >
        <Search className="size-4" aria-hidden />
        <span className="max-sm:sr-only">Search</span>
        <SearchKey />
      </button>
      {Palette && (
        <Palette
          places={places}
          find={find}
          signOut={signOut}
          onShortcuts={() => setOpened("shortcuts")}
          onClose={close}
        />
      )}
      {opened === "shortcuts" && (
        <ShortcutSheet places={places} appId={appId} workspaceId={workspaceId} onClose={close} />
      )}
    </>
  );
}
