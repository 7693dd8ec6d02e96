"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { useMetacodeState } from "./use-metacode-state";

interface Props {
  action: FormAction<{ metacode: string }>;
  check: FormAction<{ metacode: string; state: string }>;
  appId: string;
  referrerId: string;
  metacode: string;
}

const WORDS: Record<string, string> = {
  free: "is free",
  yours: "was this referrer's before, and can be again",
  taken: "is taken",
  reserved: "is a reserved word",
  malformed: "must be 4 to 32 letters a-z and digits",
};

/** Another metacode of the owner's choice, looked up while it is typed. */
export function MetacodeForm({ action, check, appId, referrerId, metacode }: Props) {
  const [text, setText] = useState(metacode);
  useEffect(() => setText(metacode), [metacode]);
  const { state, pending, props } = useForm(action, () => toast("The metacode was changed"));
  const changed = text.trim() !== metacode;
  const wish = useMetacodeState(check, { appId, referrerId }, changed ? text : "");
  const refused = wish !== undefined && wish.state !== "free" && wish.state !== "yours";
  return (
    <form {...props} className="grid gap-3">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={referrerId} />
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-56 flex-1">
          <Field
            label="Metacode"
            name="metacode"
            value={text}
            onChange={(event) => setText(event.target.value)}
            required
            autoComplete="off"
            spellCheck={false}
            state={state}
            hint={
              <span aria-live="polite" className={refused ? "text-bad" : undefined}>
                {wish
                  ? `${wish.metacode} ${WORDS[wish.state] ?? wish.state}`
                  : "The present one stops working at once."}
              </span>
            }
          />
        </div>
        <Button
          type="submit"
          variant="secondary"
          pending={pending}
          disabled={!changed || refused}
          className="sm:mt-6.5"
        >
          Change
        </Button>
      </div>
      <FormError state={state} fields={["metacode"]} />
    </form>
  );
}
