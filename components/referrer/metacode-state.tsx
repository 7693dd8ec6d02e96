"use client";

import { type ReactNode, useEffect, useState } from "react";
import type { FormAction } from "@/lib/contract/form-state";
import type { MetacodeState } from "@/lib/contract/influencer-view";

/** Looks up whether a metacode is available. */
export type CheckMetacode = FormAction<MetacodeState>;

const LABEL: Record<MetacodeState["state"], (metacode: string) => string> = {
  free: (metacode) => `${metacode} is available`,
  yours: (metacode) => `${metacode} is or was a metacode of this referrer`,
  taken: (metacode) => `${metacode} is taken`,
  reserved: (metacode) => `${metacode} is a reserved word`,
  malformed: () => "Use 4 to 32 letters a-z and digits",
};

/** Keystrokes within this time lead to one lookup. */
const PAUSE_MS = 200;

/** The state of a metacode while it is typed; undefined until it is known. Late responses are ignored. */
export function useMetacodeState(
  check: CheckMetacode,
  { appId, referrerId }: { appId: string; referrerId?: string | undefined },
  metacode: string,
): MetacodeState | undefined {
  const [known, setKnown] = useState<MetacodeState>();
  useEffect(() => {
    setKnown(undefined);
    if (metacode.trim() === "") return;
    let current = true;
    const timer = setTimeout(async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ appId, referrerId, metacode })) {
        if (value) form.set(name, value);
      }
      // Offline, the state stays unknown, and saving says why.
      const state = await check({}, form).catch(() => undefined);
      if (current) setKnown(state?.ok?.result);
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [check, appId, referrerId, metacode]);
  return known;
}

/** Whether the referrer may take the metacode. */
export const isAvailable = ({ state }: MetacodeState): boolean => state === "free" || state === "yours";

/** The state of a metacode below its field, or a hint while it is unknown. */
export function MetacodeHint({ known, children }: { known: MetacodeState | undefined; children: ReactNode }) {
  return (
    <span role="status" className={known && (isAvailable(known) ? "text-good" : "text-bad")}>
      {known ? LABEL[known.state](known.metacode) : children}
    </span>
  );
}
