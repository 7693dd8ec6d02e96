"use client";

import { useState } from "react";
import type { PoolName } from "@/lib/contract/pool";
import type { CreatePoolProps } from "../pool-form";
import { Checked } from "./checked";
import { type FileDraft, FileForm } from "./file-form";
import { ImportDone, ImportProgress } from "./import-steps";
import { useImport } from "./use-import";

interface Props {
  appId: string;
  pools: readonly PoolName[];
  /** The preselected pool. */
  poolId: string;
  createPool: CreatePoolProps["action"];
}

/** Imports a file into a pool: choose, check, import. */
export function ImportWizard({ appId, pools, poolId, createPool }: Props) {
  const empty: FileDraft = { file: undefined, facts: { poolId, offer: "", expiresAt: "", origin: "" } };
  const [draft, setDraft] = useState(empty);
  const { step, check, store, cancel, restart } = useImport(appId);
  const { file, facts } = draft;
  if (step.at === "working") return <ImportProgress step={step} onCancel={cancel} />;
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
    return <ImportDone appId={appId} report={step.report} onAgain={again} />;
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
