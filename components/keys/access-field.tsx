"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { SCOPES } from "@/lib/contract/scopes";

const CHOICES = [
  { value: "full", name: "Full access", hint: "Every endpoint." },
  { value: "read", name: "Read only", hint: "Referrers and webhooks; changes nothing." },
  { value: "custom", name: "Custom", hint: "Only the scopes you choose." },
];

/** What a key may do. Everything but full access belongs to the larger plans. */
export function AccessField({ custom }: { custom: boolean }) {
  const [access, setAccess] = useState("full");
  const legend = <>Access {!custom && <Badge>Read only and custom: Pro plan</Badge>}</>;
  const choices = CHOICES.map((choice) => ({ ...choice, disabled: !custom && choice.value !== "full" }));
  return (
    <div className="grid gap-2.5">
      <ChoiceCards name="access" value={access} onChange={setAccess} {...{ legend, choices }} />
      {access === "custom" && <Scopes />}
    </div>
  );
}

function Scopes() {
  return (
    <fieldset aria-label="Scopes" className="grid gap-2.5 rounded-lg bg-subtle p-3.5 sm:grid-cols-2">
      {SCOPES.map((scope) => (
        <label key={scope} className="flex items-center gap-2.5 font-mono text-[13px]">
          <input type="checkbox" name="scopes[]" value={scope} className="size-4 accent-ink" />
          {scope}
        </label>
      ))}
    </fieldset>
  );
}
