"use client";

import { Search } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Keys, OPEN_SHELL, type ShellPart } from "./shortcuts";

/** Opens the palette or the sheet of shortcuts from any part of the page. */
function openShell(what: ShellPart): void {
  window.dispatchEvent(new CustomEvent(OPEN_SHELL, { detail: what }));
}

/** A button on a page without content that opens the palette. */
export function SearchButton() {
  return (
    <Button variant="secondary" onClick={() => openShell("palette")}>
      <Search className="size-4" aria-hidden />
      Search
    </Button>
  );
}

/** The entry of the account's menu for the shortcuts. */
export function ShortcutsItem({ className }: { className: string }) {
  return (
    <button
      type="button"
      popoverTarget="account"
      onClick={() => openShell("shortcuts")}
      className={className}
    >
      <span className="flex-1">Keyboard shortcuts</span>
      <Keys keys="?" />
    </button>
  );
}
