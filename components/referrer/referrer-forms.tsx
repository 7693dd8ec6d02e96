"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm";
import { Field, FormError, HiddenFields, SeenValues, TextareaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { type CheckMetacode, isAvailable, MetacodeHint, useMetacodeState } from "./metacode-state";

interface MetacodeProps {
  action: FormAction<{ metacode: string }>;
  check: CheckMetacode;
  appId: string;
  referrerId: string;
  metacode: string;
}

/** Changes the metacode of a referrer, which is looked up while it is typed. */
export function MetacodeForm({ action, check, appId, referrerId, metacode }: MetacodeProps) {
  const [text, setText] = useState(metacode);
  useEffect(() => setText(metacode), [metacode]);
  const { state, pending, props } = useForm(action, () => toast("Metacode changed"));
  const changed = text.trim() !== metacode;
  const known = useMetacodeState(check, { appId, referrerId }, changed ? text : "");
  const refused = known !== undefined && !isAvailable(known);
  return (
    <form {...props} className="grid gap-3">
      <HiddenFields values={{ appId, referrerId }} />
      <SeenValues values={{ metacode }} />
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
            hint={<MetacodeHint known={known}>The current metacode and its link keep working.</MetacodeHint>}
          />
        </div>
        <Button
          type="submit"
          variant="secondary"
          pending={pending}
          disabled={!changed || refused}
          className="sm:mt-6.5"
        >
          Change metacode
        </Button>
      </div>
      <FormError state={state} fields={["metacode"]} />
    </form>
  );
}

interface NotesProps {
  action: FormAction<void>;
  appId: string;
  referrerId: string;
  notes: string | null;
}

/** The team's notes about a referrer. */
export function NotesForm({ action, appId, referrerId, notes }: NotesProps) {
  const { state, pending, props } = useForm(action, () => toast("Notes saved"));
  return (
    <form {...props} className="grid gap-3">
      <HiddenFields values={{ appId, referrerId }} />
      <SeenValues values={{ notes }} />
      <TextareaField
        label="Notes"
        name="notes"
        defaultValue={notes ?? ""}
        maxLength={2_000}
        state={state}
        hint="Only your team sees them."
      />
      <FormError state={state} fields={["notes"]} />
      <Button type="submit" variant="secondary" pending={pending} className="w-fit">
        Save notes
      </Button>
    </form>
  );
}

interface EditNotesProps {
  action: FormAction<void>;
  appId: string;
  uid: string;
  notes: string | null;
}

/** The team's notes about a user. */
export function EditNotes({ action, appId, uid, notes }: EditNotesProps) {
  return (
    <ConfirmButton
      label="Edit notes"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, uid }}
      title="Notes about this user"
      description={<p>Only your team sees them. An erasure deletes them.</p>}
      submit="Save notes"
      done="Notes saved"
    >
      <SeenValues values={{ notes }} />
      <TextareaField label="Notes" name="notes" defaultValue={notes ?? ""} maxLength={2_000} state={{}} />
    </ConfirmButton>
  );
}
