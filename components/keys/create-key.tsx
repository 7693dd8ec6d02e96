"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import type { ButtonLook } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, useGroupError } from "@/components/ui/field";
import { SCOPES } from "@/lib/contract/api-key";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { type NewKey, NewKeyForm } from "./key-actions";
import { BudgetField } from "./key-limits";

interface Props {
  action: FormAction<NewKey>;
  appId: string;
  /** Whether the plan includes keys with less than full access. */
  custom: boolean;
}

/** The button that opens the form for a new key. */
export function CreateKey({ action, appId, custom, look }: Props & { look?: ButtonLook }) {
  return (
    <DialogButton
      label="Create key"
      icon={Plus}
      look={look}
      title="Create API key"
      byAddress
      description="Create a separate key for each server or app build."
    >
      {(close) => (
        <NewKeyForm
          action={action}
          hidden={{ appId }}
          submit="Create key"
          fields={["name", "dailyBudget", "scopes"]}
          onClose={close}
          first
        >
          {(state) => (
            <>
              <Field
                label="Name"
                name="name"
                required
                maxLength={80}
                placeholder="Production server"
                autoComplete="off"
                state={state}
              />
              <AccessField custom={custom} state={state} />
              <BudgetField state={state} />
            </>
          )}
        </NewKeyForm>
      )}
    </DialogButton>
  );
}

const CHOICES = [
  { value: "full", name: "Full access", hint: "All endpoints." },
  {
    value: "phone",
    name: "Phone app",
    hint: "Creates referrers and redeems metacodes, but claims no rewards.",
  },
  { value: "read", name: "Read only", hint: "Reads referrers and webhooks, and changes nothing." },
  { value: "custom", name: "Custom", hint: "Only the scopes you choose." },
];

const ON_EVERY_PLAN = ["full", "phone"];

/** The access of a key. Read-only and custom keys need a larger plan. */
function AccessField({ custom, state }: Pick<Props, "custom"> & { state: FormState }) {
  const [access, setAccess] = useState("full");
  return (
    <div className="grid gap-2.5">
      <ChoiceCards
        legend={<>Access {!custom && <Badge>Read only and custom: Pro plan</Badge>}</>}
        name="access"
        value={access}
        onChange={setAccess}
        choices={CHOICES.map((choice) => ({
          ...choice,
          disabled: !custom && !ON_EVERY_PLAN.includes(choice.value),
        }))}
      />
      {access === "custom" && <ScopesField state={state} />}
    </div>
  );
}

function ScopesField({ state }: { state: FormState }) {
  const { invalid, note } = useGroupError("scopes", state);
  return (
    <fieldset aria-label="Scopes" className="grid gap-2.5 rounded-lg bg-subtle p-3.5 sm:grid-cols-2">
      {SCOPES.map((scope) => (
        <label key={scope} className="flex items-center gap-2.5 font-mono text-note">
          <input {...invalid} type="checkbox" name="scopes[]" value={scope} className="size-4 accent-ink" />
          {scope}
        </label>
      ))}
      {note}
    </fieldset>
  );
}
