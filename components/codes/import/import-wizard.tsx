"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "@/components/ui/toast";
import type { DateOrder } from "@/lib/contract/code-file";
import { formatCount, formatNumber } from "@/lib/contract/format";
import { Checked } from "./checked";
import { fittingPool, type PoolChoice, storeOfFile } from "./choose-pool";
import { FileForm, type Pasted, useDrop } from "./file-form";
import { ImportDone, ImportProgress } from "./import-steps";
import { type CodeFile, type FileFacts, useImport } from "./use-import";

interface Props {
  appId: string;
  pools: readonly PoolChoice[];
  /** The value of the pool that the address names; empty without one, because no pool is chosen then. */
  pool: string;
  /** The page that sent the visitor here to import codes, and to which they return afterwards. */
  back?: string | undefined;
  /** The batch of an interrupted import that turned out to be complete. */
  complete?: string | undefined;
}

const NOT_PASTED: Pasted = { on: false, text: "" };

/** The order of day and month in the browser's language. */
function usualOrder(): DateOrder {
  const parts = new Intl.DateTimeFormat().formatToParts();
  return parts.find(({ type }) => type === "day" || type === "month")?.type === "day" ? "day" : "month";
}

/** Imports a file in three steps: choose it or drop it anywhere on the page, review its content and pool, import it. */
export function ImportWizard({ appId, pools, pool, back, complete }: Props) {
  const empty: FileFacts = { pool, offer: "", expiresAt: "", origin: "", dates: usualOrder() };
  const router = useRouter();
  const [file, setFile] = useState<CodeFile>();
  const [facts, setFacts] = useState(empty);
  // The pool that the reader chose, unlike the pool that a file's store suggests.
  const [chosenPool, setChosenPool] = useState(pool);
  const [pasted, setPasted] = useState(NOT_PASTED);
  const { step, check, store, cancel, restart } = useImport(appId, pasted.text.trim() !== "");
  if (complete && step.at === "checked" && step.report.batchId === complete) {
    // The page reports the complete import above, and a second try would only be refused.
    setPasted(NOT_PASTED);
    restart();
  }

  const run = async (chosen: CodeFile, described: FileFacts) => {
    setFacts(described);
    const report = await check(chosen, described);
    if (!report) return;
    const { expiresAt, dates } = report;
    setFacts((now) => ({ ...now, expiresAt: now.expiresAt || (expiresAt ?? ""), dates: dates.order }));
  };
  const pick = async (chosen: CodeFile) => {
    const fitting = fittingPool(pools, chosenPool, await storeOfFile(chosen.blob));
    const unfitting = pools.find(({ value }) => value === chosenPool && value !== fitting?.value);
    setFile({ ...chosen, unfitting });
    await run(chosen, { ...empty, pool: fitting?.value ?? "", origin: chosen.name.slice(0, 255) });
  };

  const working = step.at === "working";
  const over = useDrop((dropped, more) => {
    if (working) return toast("Wait for the current file, or cancel it.");
    if (more) toast(`Only ${dropped.name} was taken. Drop one file at a time.`);
    void pick({ blob: dropped, name: dropped.name });
  });

  const content = () => {
    if (step.at === "working") return <ImportProgress step={step} onCancel={cancel} />;
    if (step.at === "checked" && file) {
      const onFacts = (changed: FileFacts) => {
        if (changed.pool !== facts.pool) setChosenPool(changed.pool);
        // The order of day and month decides which codes have expired, so a change runs the check again.
        if (changed.dates === facts.dates) setFacts(changed);
        else void run(file, changed);
      };
      const onStore = async () => {
        const stored = await store(file, facts, step.report);
        if (!stored) return;
        setPasted(NOT_PASTED);
        if (!back) return;
        const { imported, setAside } = stored;
        const aside = setAside > 0 ? `, ${formatNumber(setAside)} set aside for people in line` : "";
        toast(`${formatCount(imported, "code")} imported${aside}`);
        router.push(back);
      };
      return (
        <Checked
          key={step.report.batchId}
          appId={appId}
          file={file}
          facts={facts}
          pools={pools}
          step={step}
          onFacts={onFacts}
          onCheck={() => void run(file, facts)}
          onStore={onStore}
          onBack={restart}
        />
      );
    }
    if (step.at === "done") return <ImportDone appId={appId} report={step.report} onAgain={restart} />;
    const failed = file && step.at === "form" ? step.failure : undefined;
    return (
      <FileForm
        pasted={pasted}
        onPasted={setPasted}
        refused={failed && { ...failed, name: file?.name ?? "" }}
        onRetry={failed?.retry && file ? () => run(file, facts) : undefined}
        onFile={pick}
      />
    );
  };
  return (
    <>
      {content()}
      {over && !working && (
        <div className="pointer-events-none fixed inset-4 z-30 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-accent-soft font-medium text-sm">
          Drop the file to check it
        </div>
      )}
    </>
  );
}
