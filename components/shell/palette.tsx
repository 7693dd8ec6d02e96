"use client";

import { Command } from "cmdk";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type FindEndUsers, useEndUsers } from "./end-user-search";
import { appOfPath } from "./navigation";
import { AppItems, EndUserItems, endUserValue, PlaceItems } from "./palette-items";
import type { Places } from "./switcher";

interface Props {
  places: Places;
  find: FindEndUsers;
  onClose: () => void;
}

/** Opens any page and finds end users by typing. */
export function Palette({ places, find, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const appId = appOfPath(usePathname());
  const [text, setText] = useState("");
  const endUsers = useEndUsers(find, appId, text);
  const [chosen, setChosen] = useState("");
  const first = endUsers.found[0];
  // End users stand first in the list, so Enter opens the first one.
  useEffect(() => {
    if (first) setChosen(endUserValue(text, first));
  }, [first, text]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The dialog would focus the frame of the list, its first focusable element.
    input.current?.focus();
  }, []);
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()}
      className="mx-auto mt-[12dvh] w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl"
    >
      <Command label="Search and commands" loop value={chosen} onValueChange={setChosen} className="grid">
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          placeholder={appId ? "Search user IDs, metacodes, names or pages" : "Search apps and pages"}
          className="h-12 border-b border-line bg-transparent px-4 text-[15px] outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
          <Command.Empty className="px-3 py-8 text-center text-sm text-muted">
            {endUsers.pending ? "Searching…" : "No results"}
          </Command.Empty>
          {appId && endUsers.found.length > 0 && (
            <EndUserItems appId={appId} text={text} found={endUsers.found} go={go} />
          )}
          {appId && <AppItems appId={appId} go={go} />}
          <PlaceItems places={places} go={go} />
        </Command.List>
      </Command>
    </dialog>
  );
}
