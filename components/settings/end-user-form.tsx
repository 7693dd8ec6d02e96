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
  /** The end user whose page shows the form. */
  uid?: string;
  /** Other ids of the same person, which an erasure does not cover. */
  others?: readonly string[];
  exportAction: FormAction<unknown>;
  eraseAction: FormAction<unknown>;
}

/** Exports or erases an end user. The user ID is sent in a form, because addresses are logged. */
export function EndUserForm({ appId, uid: given = "", others = [], exportAction, eraseAction }: Props) {
  const [uid, setUid] = useState(given);
  const [erasing, setErasing] = useState(false);
  const saveExport = (endUser: unknown) => {
    saveFile("user.json", JSON.stringify(endUser, null, 2), "application/json");
    toast("Export saved");
  };
  const { state, pending, props } = useForm(exportAction, saveExport, { stores: false });
  const confirmErase = (event: FormEvent<HTMLButtonElement>) => {
    if (event.currentTarget.form?.reportValidity()) setErasing(true);
  };
  return (
    <>
      <form {...props} className="grid max-w-2xl gap-4">
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
          hint="Exactly the uid or referee_uid that your app sends."
          state={state}
        />
        <FormError state={state} fields={["uid"]} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="secondary" pending={pending}>
            Export as JSON
          </Button>
          <Button variant="danger" onClick={confirmErase}>
            Erase end user
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={erasing}
        onClose={() => setErasing(false)}
        action={eraseAction}
        hidden={{ appId, uid }}
        title="Erase this end user?"
        description={
          <>
            <p>
              This deletes the user ID, name, metadata, notes and provider payloads. The user’s own metacode
              stops working, and unclaimed rewards are lost.
            </p>
            {others.length > 0 && (
              <p className="wrap-anywhere">
                Only this ID is erased. Note the user’s other IDs, and erase each of them next, because the
                link to them is deleted as well: {others.join(", ")}
              </p>
            )}
            <p>
              Counts are kept, and a keyed hash of the user ID, so that the same user still gets no second
              code in a campaign. This cannot be undone.
            </p>
          </>
        }
        submit="Erase end user"
        danger
        typed={uid.trim()}
        done="End user erased"
        onDone={() => setUid("")}
      />
    </>
  );
}
