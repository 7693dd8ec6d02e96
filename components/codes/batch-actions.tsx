"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import type { BatchView } from "@/lib/contract/batch";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, formatNumber, plural } from "@/lib/contract/format";

interface BatchVerbs {
  quarantine: FormAction<void>;
  restore: FormAction<void>;
  undo: FormAction<{ deleted: number; assigned: number }>;
}

interface Props {
  appId: string;
  batch: Omit<BatchView, "createdAt" | "poolId" | "offer" | "origin" | "expiresAt">;
  verbs: BatchVerbs;
  /** Whether its codes have expired, or will within the safety margin. */
  over?: boolean | undefined;
}

/** The actions for a batch. Each states its consequences before it runs. */
export function BatchActions({ appId, batch, verbs, over }: Props) {
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
            <>
              <p>
                {batch.free > 0
                  ? `${formatCount(batch.free, "code")} will not be assigned until you restore the batch.`
                  : "No code of this batch is free."}{" "}
                Codes already assigned are not affected.
              </p>
              <SetAside codes={batch.reserved} />
            </>
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
          description={<p>{restored(batch.quarantined, over)}</p>}
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

function restored(codes: number, over: boolean | undefined): string {
  if (codes === 0) return "No code of this batch is free, so none can be assigned.";
  const outcome = over
    ? `${plural(codes, "stays", "stay")} unassigned, because ${plural(codes, "it is", "they are")} expired or too close to expiry`
    : "can be assigned again at once";
  return `Its ${formatCount(codes, "code")} ${outcome}.`;
}

/** Referees in line lose the codes of a batch that is withdrawn. */
function SetAside({ codes }: { codes: number }) {
  if (codes === 0) return null;
  return (
    <p>
      {formatCount(codes, "code is", "codes are")} set aside for people in line, who lose{" "}
      {codes === 1 ? "it" : "them"} and wait again.
    </p>
  );
}

interface UndoProps {
  hidden: Record<string, string>;
  batch: Props["batch"];
  undo: BatchVerbs["undo"];
}

function Undo({ hidden, batch, undo }: UndoProps) {
  const left = batch.free + batch.quarantined + batch.expired + batch.reserved;
  const keepsText = batch.kind === "custom" && batch.assigned > 0;
  return (
    <ConfirmButton
      action={undo}
      hidden={hidden}
      label="Undo import"
      title="Undo this import?"
      description={
        <>
          <p>
            {keepsText
              ? `${formatCount(left, "use")} without a user can no longer be assigned.`
              : `${formatCount(left, "code")} without a user are deleted here. They stay valid in the store, and you can import them again.`}
          </p>
          <SetAside codes={batch.reserved} />
          {batch.assigned > 0 && <p>{formatCount(batch.assigned, "code")} already assigned are kept.</p>}
          {keepsText && <p>The custom code is already assigned, so its text cannot be imported again.</p>}
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
