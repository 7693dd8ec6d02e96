"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import type { BatchView } from "./types";
import { codesOf, counted } from "./words";

interface BatchVerbs {
  quarantine: FormAction<void>;
  restore: FormAction<void>;
  undo: FormAction<{ deleted: number; kept: number }>;
}

interface Props {
  appId: string;
  batch: Pick<BatchView, "id" | "state" | "free" | "given" | "quarantined" | "expired" | "kind">;
  verbs: BatchVerbs;
}

/** What may be done with a batch, each with what it will do said before. */
export function BatchActions({ appId, batch, verbs }: Props) {
  const { state } = batch;
  const hidden = { appId, batchId: batch.id };
  return (
    <>
      {(state === "ready" || state === "drained") && (
        <ConfirmButton
          action={verbs.quarantine}
          hidden={hidden}
          label="Quarantine"
          title="Set this batch aside?"
          description={
            <p>
              {codesOf(batch.free)} will not be given to anybody until you restore the batch. Codes that
              people have already are not touched.
            </p>
          }
          submit="Quarantine batch"
          done="The batch was set aside"
        />
      )}
      {state === "quarantined" && (
        <ConfirmButton
          action={verbs.restore}
          hidden={hidden}
          label="Restore"
          title="Take this batch back into use?"
          description={<p>Its {codesOf(batch.quarantined)} can be given again at once.</p>}
          submit="Restore batch"
          done="The batch is in use again"
        />
      )}
      {state !== "undone" && state !== "importing" && (
        <Undo hidden={hidden} batch={batch} undo={verbs.undo} />
      )}
    </>
  );
}

interface UndoProps {
  hidden: Record<string, string>;
  batch: Props["batch"];
  undo: BatchVerbs["undo"];
}

function Undo({ hidden, batch, undo }: UndoProps) {
  const left = batch.free + batch.quarantined + batch.expired;
  return (
    <ConfirmButton
      action={undo}
      hidden={hidden}
      label="Undo import"
      title="Take this import back?"
      description={
        <>
          <p>
            {codesOf(left)} that nobody has will be deleted here. They stay valid in the store and can be
            imported again.
          </p>
          {batch.given > 0 && <p>{codesOf(batch.given)} stay with the people who have them.</p>}
          {batch.kind === "custom" && batch.given > 0 && (
            <p>Somebody has the custom code, so its text cannot be imported again.</p>
          )}
        </>
      }
      submit="Undo import"
      danger
      typed={left > 0 ? "undo" : undefined}
      onDone={({ deleted, kept }) =>
        toast(`${counted(deleted)} deleted, ${counted(kept)} stay with their people`)
      }
    />
  );
}
