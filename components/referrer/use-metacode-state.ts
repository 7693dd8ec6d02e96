"use client";

import { useEffect, useState } from "react";
import type { FormAction } from "@/lib/contract/form-state";

interface State {
  metacode: string;
  state: string;
}

/** A pause in typing that is worth a question to the server. */
const PAUSE_MS = 200;

/** What a wished metacode is; undefined while that is not known, and for no wish. A late answer is thrown away. */
export function useMetacodeState(
  check: FormAction<State>,
  about: { appId: string; referrerId: string },
  wish: string,
): State | undefined {
  const [known, setKnown] = useState<State>();
  const { appId, referrerId } = about;
  useEffect(() => {
    setKnown(undefined);
    if (wish.trim() === "") return;
    let current = true;
    const timer = setTimeout(async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ appId, referrerId, metacode: wish }))
        form.set(name, value);
      const { ok } = await check({}, form);
      if (current) setKnown(ok?.result);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [check, appId, referrerId, wish]);
  return known;
}
