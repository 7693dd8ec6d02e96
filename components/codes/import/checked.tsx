"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { FormError } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import type { CheckReport } from "@/lib/contract/code-file";
import { codesOf, counted } from "../words";
import { Report } from "./report";
import { exchangeFile } from "./transport";
import { type CodeFile, type FileFacts, type ImportStep, uploadUrl } from "./use-import";

interface Props {
  appId: string;
  file: CodeFile;
  facts: FileFacts;
  step: Extract<ImportStep, { at: "checked" }>;
  onFacts: (facts: FileFacts) => void;
  onStore: () => void;
  onBack: () => void;
}

/** What the dry run found, before anything is stored: take it, or go back. */
export function Checked({ appId, file, facts, step, onFacts, onStore, onBack }: Props) {
  const { report, error } = step;
  const { fresh, read } = report;
  const waits = report.refused.in_other_import !== undefined;
  return (
    <div className="grid gap-5">
      <Report report={report} />
      {fresh === 0 && (
        <Callout tone="warn">
          <p>{read === 0 ? "The file is empty." : "The file has no code that could be imported."}</p>
        </Callout>
      )}
      <FileExpiry report={report} facts={facts} onFacts={onFacts} />
      <FormError state={error ? { error } : {}} />
      <div className="flex flex-wrap gap-2">
        {fresh > 0 && (
          <Button onClick={onStore} disabled={waits}>
            Import {codesOf(fresh)}
          </Button>
        )}
        <Button variant="secondary" onClick={onBack}>
          Change the file or its details
        </Button>
        {read > fresh && <RefusedRows appId={appId} file={file} facts={facts} count={read - fresh} />}
      </div>
    </div>
  );
}

/** A date of expiry that the file gives and the form does not. */
function FileExpiry({ report, facts, onFacts }: Pick<Props, "facts" | "onFacts"> & { report: CheckReport }) {
  const { expiresAt } = report;
  if (!expiresAt || facts.expiresAt) return null;
  return (
    <Callout tone="info">
      <p>
        The file says that its codes expire from {expiresAt} on.{" "}
        <button
          type="button"
          onClick={() => onFacts({ ...facts, expiresAt })}
          className="min-h-6 rounded-sm font-medium underline"
        >
          Give the batch this end
        </button>
      </p>
    </Callout>
  );
}

/** Fetches the file of all refused rows; the service reads the codes once more for it. */
function RefusedRows({
  appId,
  file,
  facts,
  count,
}: Pick<Props, "appId" | "file" | "facts"> & { count: number }) {
  const [pending, setPending] = useState(false);
  const onClick = async () => {
    setPending(true);
    try {
      const rows = await exchangeFile(uploadUrl(appId, "refused", { ...facts }), file.blob);
      saveFile("refused-rows.csv", rows, "text/csv");
    } catch {
      toast("The refused rows could not be fetched: try again");
    }
    setPending(false);
  };
  return (
    <Button variant="secondary" pending={pending} onClick={onClick}>
      <Download className="size-4" aria-hidden />
      {count === 1 ? "The refused row" : `All ${counted(count)} refused rows`} as CSV
    </Button>
  );
}
