"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { SCOPES } from "@/lib/contract/scopes";

const CHOICES = [
  { value: "full", name: "Full access", hint: "Every endpoint." },
  { value: "read", name: "Read only", hint: "Referrers and webhooks; changes nothing." },
  { value: "custom", name: "Custom", hint: "Only the scopes you choose." },
];

/** What a key may do. Everything but full access belongs to the larger plans. */
export function AccessField({ custom }: { custom: boolean }) {
  const [access, setAccess] = useState("full");
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 flex w-full items-center justify-between text-sm font-medium">
        Access
        {!custom && <Badge>Read only and custom: Pro plan</Badge>}
      </legend>
      {CHOICES.map(({ value, name, hint }) => (
        <label
          key={value}
          className="flex gap-3 rounded-lg border border-line p-3 text-sm has-checked:border-ink has-disabled:text-muted"
        >
          <input
            type="radio"
            name="access"
            value={value}
            checked={access === value}
            onChange={() => setAccess(value)}
            disabled={!custom && value !== "full"}
            className="mt-0.5 size-4 accent-ink"
          />
          <span className="grid">
            <span className="font-medium">{name}</span>
            <span className="text-[13px] text-muted">{hint}</span>
          </span>
        </label>
      ))}
      {access === "custom" && <Scopes />}
    </fieldset>
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
