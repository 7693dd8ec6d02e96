"use client";

import { type FormEvent, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import type { PoolName } from "@/lib/contract/pool";
import { ExpiresField } from "../edit-batch";
import type { CreatePoolProps } from "../pool-form";
import { FilePicker } from "./file-picker";
import { PoolSelect } from "./pool-select";
import type { CodeFile, FileFacts } from "./use-import";

export interface FileDraft {
  file: CodeFile | undefined;
  facts: FileFacts;
}

interface Props {
  draft: FileDraft;
  onChange: (draft: FileDraft) => void;
  pools: readonly PoolName[];
  create: Pick<CreatePoolProps, "action" | "appId">;
  state: FormState;
  onCheck: (file: CodeFile) => void;
}

const never = () => () => undefined;

/** Whether the scripts of the page run. Before that, the form would be sent without its file. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** The file and its details. */
export function FileForm({ draft, onChange, pools, create, state, onCheck }: Props) {
  const { file, facts } = draft;
  const hydrated = useHydrated();
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
    if (!facts.poolId) setMissing({ error: { message: "Choose or create a pool", field: "poolId" } });
    else setMissing({ error: { message: pasting ? "Paste the codes first" : "Choose a file first" } });
  };
  const shown = state.error ? state : missing;
  return (
    // Forms do not nest, so the pool field with its own form stands beside this one.
    <div className="grid gap-5">
      <PoolSelect
        pools={pools}
        value={facts.poolId}
        onChange={(poolId) => set({ poolId })}
        state={shown}
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
            hint="The store's name of the offer. No user gets two codes of the same offer."
            state={state}
          />
          <ExpiresField
            value={facts.expiresAt}
            onChange={({ target }) => set({ expiresAt: target.value })}
            state={state}
          />
        </div>
        <FormError state={shown} fields={["poolId", "offer", "expiresAt"]} />
        <div>
          <Button type="submit" disabled={!hydrated}>
            Check file
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Codes as text, which become a file without a name. */
function Paste({ onPaste }: { onPaste: (file: CodeFile | undefined) => void }) {
  return (
    <TextareaField
      label="Codes"
      name="codes"
      rows={8}
      spellCheck={false}
      autoComplete="off"
      placeholder={"ABCDEFGHIJKLMNOPQR\nABCD1234EFGH5678JK"}
      hint="One per line, or rows of a table with a header."
      onChange={({ target }) =>
        onPaste(target.value.trim() ? { blob: new Blob([target.value]), name: "Pasted" } : undefined)
      }
    />
  );
}
