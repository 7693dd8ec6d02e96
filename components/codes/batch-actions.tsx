"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import type { BatchView } from "@/lib/contract/batch";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, formatNumber } from "@/lib/contract/format";

interface BatchVerbs {
  quarantine: FormAction<void>;
  restore: FormAction<void>;
  undo: FormAction<{ deleted: number; assigned: number }>;
}

interface Props {
  appId: string;
  batch: Pick<BatchView, "id" | "state" | "free" | "assigned" | "quarantined" | "expired" | "kind">;
  verbs: BatchVerbs;
}

/** The actions for a batch. Each states its consequences before it runs. */
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
          title="Quarantine this batch?"
          description={
            <p>
              {formatCount(batch.free, "code")} will not be assigned until you restore the batch. Codes
              already assigned are not affected.
            </p>
          }
          submit="Quarantine batch"
          done="Batch quarantined"
        />
      )}
      {state === "quarantined" && (
        <ConfirmButton
          action={verbs.restore}
          hidden={hidden}
          label="Restore"
          title="Restore this batch?"
          description={<p>Its {formatCount(batch.quarantined, "code")} can be assigned again at once.</p>}
          submit="Restore batch"
          done="Batch restored"
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
      title="Undo this import?"
      description={
        <>
          <p>
            {formatCount(left, "code")} without a user are deleted here. They stay valid in the store, and you
            can import them again.
          </p>
          {batch.assigned > 0 && <p>{formatCount(batch.assigned, "code")} already assigned are kept.</p>}
          {batch.kind === "custom" && batch.assigned > 0 && (
            <p>The custom code is already assigned, so its text cannot be imported again.</p>
          )}
        </>
      }
      submit="Undo import"
      danger
      typed={left > 0 ? "undo" : undefined}
      onDone={({ deleted, assigned }) =>
        toast(`${formatCount(deleted, "code")} deleted, ${formatNumber(assigned)} kept`)
      }
    />
  );
}
