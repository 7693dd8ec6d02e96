"use client";

import { useEffect, useState } from "react";
import type { FormAction } from "@/lib/contract/form-state";
import type { EndUserMatch } from "@/lib/contract/referrer-list";

/** Searches the end users of an app (`appId`) for a `text`: user ID, metacode, name, code or id. */
export type FindEndUsers = FormAction<EndUserMatch[]>;

/** A pause in typing that is worth a request. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** The end users of the app that match a text. Late responses are ignored. */
export function useEndUsers(find: FindEndUsers, appId: string | undefined, text: string) {
  const [found, setFound] = useState<EndUserMatch[]>([]);
  const [pending, setPending] = useState(false);
  const query = text.trim();
  useEffect(() => {
    setFound([]);
    setPending(false);
    if (!appId || query.length < MIN_LENGTH) return;
    let current = true;
    setPending(true);
    const timer = setTimeout(async () => {
      const form = new FormData();
      form.set("appId", appId);
      form.set("text", query);
      const response = await find({}, form).catch(() => undefined);
      if (!current) return;
      setFound(response?.ok?.result ?? []);
      setPending(false);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [find, appId, query]);
  return { found, pending };
}
