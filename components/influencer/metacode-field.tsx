"use client";

import { useEffect, useState } from "react";
import { Field } from "@/components/ui/field";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import type { MetacodeState } from "@/lib/contract/influencer-view";

/** Asks whether a metacode is free; sent while somebody types. */
export type AskMetacode = FormAction<MetacodeState>;

interface Props {
  appId: string;
  /** Whose own metacode counts as free. */
  referrerId?: string | undefined;
  value?: string;
  ask: AskMetacode;
  state: FormState;
}

const WORDS: Record<MetacodeState["state"], (metacode: string) => string> = {
  free: (metacode) => `${metacode} is free`,
  yours: (metacode) => `${metacode} belongs to this influencer`,
  taken: (metacode) => `${metacode} is taken`,
  reserved: (metacode) => `${metacode} is a reserved word`,
  malformed: () => "4 to 32 letters a-z and digits",
};

/** Keys that follow one another this fast are one question. */
const PAUSE_MS = 300;

function useAvailability({ appId, referrerId, ask }: Props, text: string): MetacodeState | undefined {
  const [found, setFound] = useState<MetacodeState>();
  useEffect(() => {
    if (text.trim() === "") return;
    let stale = false;
    const timer = setTimeout(async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ appId, referrerId, metacode: text })) {
        if (value) form.set(name, value);
      }
      const { ok } = await ask({}, form);
      if (!stale) setFound(ok?.result);
    }, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [appId, referrerId, ask, text]);
  return text.trim() === "" ? undefined : found;
}

/** A metacode of one's own choice, looked up while it is typed; sending the form decides. */
export function MetacodeField(props: Props) {
  const [text, setText] = useState(props.value ?? "");
  const found = useAvailability(props, text);
  const good = found?.state === "free" || found?.state === "yours";
  return (
    <Field
      label="Metacode"
      name="metacode"
      value={text}
      onChange={({ target }) => setText(target.value)}
      maxLength={60}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      state={props.state}
      hint={
        <span role="status" className={found && (good ? "text-good" : "text-bad")}>
          {found
            ? WORDS[found.state](found.metacode)
            : "4 to 32 letters a-z and digits; the end of the link."}
        </span>
      }
    />
  );
}
