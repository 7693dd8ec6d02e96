"use client";

import { useEffect, useState } from "react";
import type { Found } from "@/lib/contract/found";
import type { FindPeople } from "./people";

/** A pause in typing that is worth a question to the server. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** People of the app that a text may mean. An answer that arrives after the next letter is thrown away. */
export function usePeople(find: FindPeople, appId: string | undefined, text: string) {
  const [found, setFound] = useState<Found[]>([]);
  const [pending, setPending] = useState(false);
  const wanted = text.trim();
  useEffect(() => {
    setFound([]);
    setPending(false);
    if (!appId || wanted.length < MIN_LENGTH) return;
    let current = true;
    setPending(true);
    const timer = setTimeout(async () => {
      const form = new FormData();
      form.set("appId", appId);
      form.set("text", wanted);
      const answer = await find({}, form).catch(() => undefined);
      if (!current) return;
      setFound(answer?.ok?.result ?? []);
      setPending(false);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [find, appId, wanted]);
  return { found, pending };
}
