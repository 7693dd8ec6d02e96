"use client";

import { useEffect, useState } from "react";
import type { FindPeople, FoundPerson } from "./people";

/** A pause in typing that is worth a question to the server. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** People of the app that a text may mean. An answer that arrives after the next letter is thrown away. */
export function usePeople(find: FindPeople | undefined, appId: string | undefined, text: string) {
  const [found, setFound] = useState<FoundPerson[]>([]);
  const [pending, setPending] = useState(false);
  const wanted = text.trim();
  useEffect(() => {
    setFound([]);
    setPending(false);
    if (!find || !appId || wanted.length < MIN_LENGTH) return;
    let current = true;
    setPending(true);
    const timer = setTimeout(async () => {
      const people = await find(appId, wanted).catch(() => []);
      if (!current) return;
      setFound(people);
      setPending(false);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [find, appId, wanted]);
  return { found, pending };
}
