"use client";

import { Command, useCommandState } from "cmdk";
import { usePathname } from "next/navigation";
import { startTransition, useEffect, useRef, useState } from "react";
import { useSearchIndex } from "@/components/docs/use-search-index";
import { Button } from "@/components/ui/button";
import { confirmLeaving, forgetInput, hasUnsaved } from "@/components/ui/unsaved";
import type { FormAction } from "@/lib/contract/form-state";
import type { AppMatch } from "@/lib/contract/referrer-list";
import { precedesDocs } from "./destinations";
import { useGo } from "./navigating";
import { appOfPath, workspaceOfPath } from "./navigation";
import { DocsItems, docsValue, EntryItems, fittingEntries, MatchItems, matchValue } from "./palette-items";
import type { Places } from "./switcher";

/** Searches an app (`appId`) for a `text`: end users by ID, metacode, name, code or request, campaigns and providers. */
export type FindInApp = FormAction<AppMatch[]>;

/** Milliseconds without typing after which a request is sent. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** The rows of the app that match a text. Late responses are ignored. */
function useMatches(find: FindInApp, appId: string | undefined, text: string) {
  const [found, setFound] = useState<AppMatch[]>([]);
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another search
  useEffect(() => {
    setFound([]);
    setPending(false);
    setFailed(false);
    if (!appId || text.trim().length < MIN_LENGTH) return;
    let current = true;
    setPending(true);
    const timer = setTimeout(async () => {
      const form = new FormData();
      form.set("appId", appId);
      form.set("text", text);
      const response = await find({}, form).catch(() => undefined);
      if (!current) return;
      setFound(response?.ok?.result ?? []);
      setFailed(!response?.ok);
      setPending(false);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [find, appId, text, tries]);
  return { found, pending, failed, retry: () => setTries(tries + 1) };
}

/** Names the chosen item to screen readers, because cmdk names the previous one when the list changes under the choice. */
function ChosenItem() {
  useCommandState((state) => state.value);
  useEffect(() => {
    const item = document.querySelector("[cmdk-item][aria-selected=true]");
    for (const part of document.querySelectorAll("[cmdk-input], [cmdk-list]")) {
      if (item) part.setAttribute("aria-activedescendant", item.id);
      else part.removeAttribute("aria-activedescendant");
    }
  });
  return null;
}

interface Props {
  places: Places;
  find: FindInApp;
  signOut: (form: FormData) => Promise<void>;
  onShortcuts: () => void;
  onClose: () => void;
}

/** Opens any page, action or document, and finds end users, campaigns and providers by typing. */
export function Palette({ places, find, signOut, onShortcuts, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = useGo();
  const path = usePathname();
  const [text, setText] = useState("");
  // Outside an app, a text finds the pages of the first app, or of the open workspace's first app.
  const workspace = workspaceOfPath(path);
  const nearest = places.apps.find(({ workspaceId }) => !workspace || workspaceId === workspace);
  const here = appOfPath(path);
  const appId = here ?? (text.trim() === "" ? undefined : nearest?.id);
  const app = places.apps.find(({ id }) => id === appId);
  const rows = useMatches(find, appId, text);
  const docs = useSearchIndex();
  const [chosen, setChosen] = useState("");
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the palette opens
  useEffect(() => {
    dialog.current?.showModal();
    // The dialog would focus the frame of the list, its first focusable element.
    input.current?.focus();
    docs.warm().catch(() => undefined);
  }, []);
  const go = (href: string) => {
    onClose();
    open(href);
  };
  const leave = () => {
    onClose();
    const end = () => {
      forgetInput();
      startTransition(() => signOut(new FormData()));
    };
    if (hasUnsaved()) confirmLeaving(end);
    else end();
  };
  const type = (typed: string) => {
    setText(typed);
    void docs.search(typed.trim().length < MIN_LENGTH ? "" : typed, false);
  };
  const workspaceId = workspace ?? app?.workspaceId;
  const groups = fittingEntries(
    { places, appId, inApp: Boolean(here), workspaceId, onShortcuts, onSignOut: leave, go },
    text,
  );
  const hits = docs.hits ?? [];
  const above = groups.filter(({ best }) => precedesDocs(best, hits));
  const below = groups.filter((group) => !above.includes(group));
  const [row, entry, document] = [rows.found[0], (above[0] ?? below[0])?.entries[0], hits[0]];
  const first = row
    ? matchValue(row)
    : above.length === 0 && document
      ? docsValue(document)
      : (entry?.value ?? "");
  // Rows and documents arrive later than pages, so Enter opens whichever item is first by then.
  useEffect(() => setChosen(first), [first]);
  const failed = rows.failed ? "this app" : docs.failed && text !== "" ? "the documentation" : undefined;
  const nothing = groups.length === 0 && rows.found.length === 0 && hits.length === 0 && !failed;
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onClose={onClose}
      // Escape. The close event would come after the next key may have been pressed; closed here, the dialog returns the
      // focus at once to where it was opened.
      onCancel={() => {
        dialog.current?.close();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()}
      className="mx-auto mt-[12dvh] w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl max-sm:mt-4"
    >
      <Command
        label="Search and commands"
        loop
        // Each list is matched and sorted at its source. If cmdk sorted the items, in the document and after React, the
        // first item and the chosen one would differ.
        shouldFilter={false}
        value={chosen}
        onValueChange={setChosen}
        className="grid"
      >
        <Command.Input
          ref={input}
          value={text}
          onValueChange={type}
          maxLength={510}
          placeholder={appId ? "Search users, campaigns, pages and guides" : "Search apps, pages and guides"}
          className="h-12 border-b border-line bg-transparent px-4 text-lead outline-none placeholder:text-muted pointer-coarse:text-base"
        />
        <Command.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2">
          {appId && rows.found.length > 0 && <MatchItems appId={appId} found={rows.found} go={go} />}
          <EntryItems groups={above} />
          <DocsItems hits={hits} go={go} />
          <EntryItems groups={below} />
        </Command.List>
        <div role="status">
          {nothing && (
            <p className="px-5 pt-6 pb-10 text-center text-sm text-muted">
              {rows.pending ? "Searching…" : "No results. Try fewer or different words."}
            </p>
          )}
        </div>
        <ChosenItem />
        <div role="alert" className="empty:hidden">
          {failed && (
            <p className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-note text-bad">
              Search in {failed} failed.
              <Button
                variant="ghost"
                size="sm"
                // Enter would open the chosen item of the list.
                onKeyDown={(event) => event.stopPropagation()}
                onClick={() => {
                  rows.retry();
                  type(text);
                  input.current?.focus();
                }}
              >
                Try again
              </Button>
            </p>
          )}
        </div>
        <p className="border-t border-line px-4 py-2 text-xs text-muted max-sm:hidden" aria-hidden>
          ↑↓ to choose, Enter to open, Esc to close
        </p>
      </Command>
    </dialog>
  );
}
