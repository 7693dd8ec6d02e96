"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import { ExpiresField } from "../change-batch";
import type { NewPoolProps } from "../new-pool";
import type { PoolChoice } from "../types";
import { FilePicker } from "./file-picker";
import { PoolSelect } from "./pool-select";
import { useAlive } from "./use-alive";
import type { CodeFile, FileFacts } from "./use-import";

export interface FileDraft {
  file: CodeFile | undefined;
  facts: FileFacts;
}

interface Props {
  draft: FileDraft;
  onChange: (draft: FileDraft) => void;
  pools: readonly PoolChoice[];
  create: Pick<NewPoolProps, "action" | "appId">;
  state: FormState;
  onCheck: (file: CodeFile) => void;
}

/** The file and what is said of it. */
export function FileForm({ draft, onChange, pools, create, state, onCheck }: Props) {
  const { file, facts } = draft;
  const alive = useAlive();
  const [pasting, setPasting] = useState(false);
  const [missing, setMissing] = useState<FormState>({});
  const set = (change: Partial<FileFacts>) => {
    setMissing({});
    onChange({ ...draft, facts: { ...facts, ...change } });
  };
  const pick = (picked: CodeFile | undefined) => {
    setMissing({});
    onChange({ file: picked, facts: { ...facts, origin: picked?.name.slice(0, 255) ?? "" } });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (file && facts.poolId) return onCheck(file);
    if (!facts.poolId) setMissing({ error: { message: "Choose a pool, or make one", field: "poolId" } });
    else setMissing({ error: { message: pasting ? "Paste the codes first" : "Choose a file first" } });
  };
  const said = state.error ? state : missing;
  return (
    // The pool's own form opens in a dialog, and forms do not nest: it stands outside of this one.
    <div className="grid gap-5">
      <PoolSelect
        pools={pools}
        value={facts.poolId}
        onChange={(poolId) => set({ poolId })}
        state={said}
        create={create}
      />
      <form onSubmit={onSubmit} className="grid gap-5">
        <div className="grid gap-2">
          {pasting ? <Paste onPaste={pick} /> : <FilePicker file={file} onPick={pick} />}
          <button
            type="button"
            onClick={() => {
              setPasting(!pasting);
              pick(undefined);
            }}
            className="min-h-6 w-fit rounded-sm text-[13px] text-muted underline hover:text-ink"
          >
            {pasting ? "Choose a file instead" : "Paste codes instead"}
          </button>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Offer"
            name="offer"
            optional
            maxLength={80}
            value={facts.offer}
            onChange={({ target }) => set({ offer: target.value })}
            autoComplete="off"
            hint="The store's name of the offer. One person never gets two codes of the same offer."
            state={state}
          />
          <ExpiresField
            value={facts.expiresAt}
            onChange={({ target }) => set({ expiresAt: target.value })}
            state={state}
          />
        </div>
        <FormError state={said} fields={["poolId", "offer", "expiresAt"]} />
        <div>
          <Button type="submit" disabled={!alive}>
            Check the file
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Codes as text; what is typed becomes a file without a name. */
function Paste({ onPaste }: { onPaste: (file: CodeFile | undefined) => void }) {
  return (
    <TextareaField
      label="Codes"
      name="codes"
      rows={8}
      spellCheck={false}
      autoComplete="off"
      placeholder={"ABCDEFGHIJKLMNOPQR\nABCD1234EFGH5678JK"}
      hint="One on each line, or whole rows of a table with a header."
      onChange={({ target }) =>
        onPaste(target.value.trim() ? { blob: new Blob([target.value]), name: "Pasted" } : undefined)
      }
    />
  );
}
