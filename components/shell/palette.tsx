"use client";

import { Command } from "cmdk";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { AppItems, PeopleItems, PlaceItems, personValue } from "./palette-items";
import type { FindPeople } from "./people";
import { appOfPath } from "./rooms";
import type { Places } from "./switcher";
import { usePeople } from "./use-people";

interface Props {
  places: Places;
  find: FindPeople;
  onClose: () => void;
}

/** Goes anywhere and finds anybody by typing. */
export function Palette({ places, find, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const appId = appOfPath(usePathname());
  const [text, setText] = useState("");
  const people = usePeople(find, appId, text);
  const [chosen, setChosen] = useState("");
  const first = people.found[0];
  // Whoever is found comes first in the list, and so is what Enter means.
  useEffect(() => {
    if (first) setChosen(personValue(text, first));
  }, [first, text]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The dialog gives the focus to the first that can have it, which is the list's frame.
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
          placeholder={appId ? "A uid, a metacode, a name, or where to go" : "Where to?"}
          className="h-12 border-b border-line bg-transparent px-4 text-[15px] outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
          <Command.Empty className="px-3 py-8 text-center text-sm text-muted">
            {people.pending ? "Looking…" : "Nothing found"}
          </Command.Empty>
          {appId && people.found.length > 0 && <PeopleItems {...{ appId, text, go }} found={people.found} />}
          {appId && <AppItems {...{ appId, go }} />}
          <PlaceItems places={places} go={go} />
        </Command.List>
      </Command>
    </dialog>
  );
}
