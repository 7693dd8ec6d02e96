"use client";

import { type Dispatch, type SetStateAction, useEffect } from "react";
import { Dialog } from "@/components/ui/dialog";
import { CheckField } from "@/components/ui/field";
import { useSearchKey } from "@/components/ui/search-key";
import { storedText, useStoredText } from "@/components/ui/stored-text";
import { keyedDestinations } from "./destinations";
import { useGo } from "./navigating";
import type { Places } from "./switcher";

/** Whether single keys are shortcuts in this browser. Users of speech input can turn them off. */
const singleKeys = storedText(() => localStorage, "shortcuts");
const OFF = "off";

/** Whether a key belongs to the control with the focus, or to a dialog. */
function isTaken({ target, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey || defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable], [role=menu]") !== null
  );
}

/** The event by which a page opens the palette or the sheet of shortcuts. */
export const OPEN_SHELL = "metacode:open";

export type ShellPart = "palette" | "shortcuts";

interface Place {
  places: Places;
  appId: string | undefined;
  workspaceId: string | undefined;
}

interface Opening extends Place {
  setOpened: Dispatch<SetStateAction<ShellPart | undefined>>;
}

/** Listens for ⌘K, Ctrl K, `?`, `/`, and `g` followed by a page's key within a second and a half. */
export function useShortcuts({ places, appId, workspaceId, setOpened }: Opening): void {
  const go = useGo();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `go` is another function in every render
  useEffect(() => {
    const destinations = keyedDestinations(places, appId, workspaceId);
    let begun = Number.NEGATIVE_INFINITY;
    const onSingleKey = (event: KeyboardEvent) => {
      if (isTaken(event) || singleKeys.read() === OFF) return;
      const second = event.timeStamp - begun < 1_500;
      begun = Number.NEGATIVE_INFINITY;
      const href = second && destinations.find(({ keys }) => keys === `g ${event.key}`)?.href;
      if (href) go(href);
      else if (event.key === "g") begun = event.timeStamp;
      else if (event.key === "/") setOpened("palette");
      else if (event.key === "?") setOpened("shortcuts");
      else return;
      event.preventDefault();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return onSingleKey(event);
      event.preventDefault();
      setOpened((before) => (before === "palette" ? undefined : "palette"));
    };
    const onOpen = (event: Event) => setOpened((event as CustomEvent<ShellPart>).detail);
    document.addEventListener("keydown", onKey);
    window.addEventListener(OPEN_SHELL, onOpen);
    return () => {
      document.removeEventListener("keydown", onKey);
      window.removeEventListener(OPEN_SHELL, onOpen);
    };
  }, [places, appId, workspaceId, setOpened]);
}

interface Props extends Place {
  onClose: () => void;
}

/** The sheet of all keyboard shortcuts. */
export function ShortcutSheet({ places, appId, workspaceId, onClose }: Props) {
  const on = useStoredText(singleKeys) !== OFF;
  const searchKey = useSearchKey();
  const rows = [
    { name: "Search and commands", keys: `${searchKey.replace(" ", "\u00a0")} /` },
    { name: "This list", keys: "?" },
    ...keyedDestinations(places, appId, workspaceId),
  ];
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <ul className="grid gap-x-8 sm:grid-cols-2">
        {rows.map(({ name, keys = "" }) => (
          <li key={name} className="flex min-h-8 items-center justify-between gap-3 text-sm">
            {name}
            <Keys keys={keys} />
            <span className="sr-only">{keys.split(" ").join(", ")}</span>
          </li>
        ))}
      </ul>
      <CheckField
        label="Use single-key shortcuts"
        hint={`When off, only ${searchKey} works. Stored in this browser.`}
        checked={on}
        onChange={({ target }) => singleKeys.store(target.checked ? "" : OFF)}
      />
    </Dialog>
  );
}

/** A sequence of keys, as keyboards show them. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 gap-1 pointer-coarse:hidden" aria-hidden>
      {keys.split(" ").map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded border border-line px-1 text-center font-sans text-xs text-muted uppercase"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
