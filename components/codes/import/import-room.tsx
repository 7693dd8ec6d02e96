"use client";

import { useState } from "react";
import type { NewPoolProps } from "../new-pool";
import type { PoolChoice } from "../types";
import { Checked } from "./checked";
import { Done } from "./done";
import { type FileDraft, FileForm } from "./file-form";
import { useImport } from "./use-import";
import { Working } from "./working";

interface Props {
  appId: string;
  pools: readonly PoolChoice[];
  /** The pool that the person came from. */
  poolId: string;
  createPool: NewPoolProps["action"];
}

/** A file's way into a pool: choose, try out, import. */
export function ImportRoom({ appId, pools, poolId, createPool }: Props) {
  const empty: FileDraft = { file: undefined, facts: { poolId, offer: "", expiresAt: "", origin: "" } };
  const [draft, setDraft] = useState(empty);
  const { step, check, store, cancel, restart } = useImport(appId);
  const { file, facts } = draft;
  if (step.at === "working") return <Working step={step} onCancel={cancel} />;
  if (step.at === "checked" && file) {
    return (
      <Checked
        appId={appId}
        file={file}
        facts={facts}
        step={step}
        onFacts={(changed) => setDraft({ file, facts: changed })}
        onStore={() => store(file, facts, step.report)}
        onBack={restart}
      />
    );
  }
  if (step.at === "done") {
    const again = () => {
      setDraft({ ...empty, facts: { ...empty.facts, poolId: facts.poolId } });
      restart();
    };
    return <Done appId={appId} report={step.report} onAgain={again} />;
  }
  return (
    <FileForm
      draft={draft}
      onChange={setDraft}
      pools={pools}
      create={{ action: createPool, appId }}
      state={step.at === "form" && step.error ? { error: step.error } : {}}
      onCheck={(picked) => check(picked, facts)}
    />
  );
}
