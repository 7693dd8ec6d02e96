"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Field, FormError } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  appId: string;
  exportAction: FormAction<unknown>;
  eraseAction: FormAction<unknown>;
}

/** Exports or erases one person by uid. The uid travels in a form, because an address is written into logs. */
export function PersonForm({ appId, exportAction, eraseAction }: Props) {
  const [uid, setUid] = useState("");
  const [erasing, setErasing] = useState(false);
  const { state, pending, props } = useForm(exportAction, (person) => {
    saveFile("person.json", JSON.stringify(person, null, 2), "application/json");
    toast("The export was saved");
  });
  const ask = (event: FormEvent<HTMLButtonElement>) => {
    if (event.currentTarget.form?.reportValidity()) setErasing(true);
  };
  return (
    <>
      <form {...props} className="grid gap-4">
        <input type="hidden" name="appId" value={appId} />
        <Field
          label="User ID"
          name="uid"
          required
          maxLength={510}
          value={uid}
          onChange={(event) => setUid(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          hint="The uid or referee_uid that your app sends, exactly."
          state={state}
        />
        <FormError state={state} fields={["uid"]} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button type="submit" variant="secondary" pending={pending}>
            Export as JSON
          </Button>
          <Button variant="danger" onClick={ask}>
            Erase…
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={erasing}
        onClose={() => setErasing(false)}
        action={eraseAction}
        hidden={{ appId, uid }}
        title="Erase this person?"
        description={
          <>
            <p>
              The uid, name, metadata, notes and provider payloads are deleted. The person’s own metacode
              stops working, and rewards not claimed yet are lost.
            </p>
            <p>
              Counts stay, and a keyed hash of the uid, so that the same person still gets no second code in a
              campaign. This cannot be undone.
            </p>
          </>
        }
        submit="Erase for good"
        danger
        typed={uid.trim()}
        done="The person was erased"
        onDone={() => setUid("")}
      />
    </>
  );
}
