"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { FormError } from "@/components/ui/field";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import type { CheckReport } from "@/lib/contract/code-file";
import { formatCount } from "@/lib/contract/format";
import { CheckReportView } from "./report";
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

/** The result of the dry run, before anything is stored: import the codes, or go back. */
export function Checked({ appId, file, facts, step, onFacts, onStore, onBack }: Props) {
  const { report, error } = step;
  const { fresh, read } = report;
  const blocked = report.refused.in_other_import !== undefined;
  return (
    <div className="grid gap-5">
      <CheckReportView report={report} />
      {fresh === 0 && (
        <Callout tone="warn">
          <p>{read === 0 ? "The file is empty." : "The file contains no codes that can be imported."}</p>
        </Callout>
      )}
      <FileExpiry report={report} facts={facts} onFacts={onFacts} />
      <FormError state={error ? { error } : {}} />
      <div className="flex flex-wrap gap-2">
        {fresh > 0 && (
          <Button onClick={onStore} disabled={blocked}>
            Import {formatCount(fresh, "code")}
          </Button>
        )}
        <Button variant="secondary" onClick={onBack}>
          Change file or details
        </Button>
        {read > fresh && <RefusedRows appId={appId} file={file} facts={facts} count={read - fresh} />}
      </div>
    </div>
  );
}

/** The expiry date in the file, when the form has none. */
function FileExpiry({ report, facts, onFacts }: Pick<Props, "facts" | "onFacts"> & { report: CheckReport }) {
  const { expiresAt } = report;
  if (!expiresAt || facts.expiresAt) return null;
  return (
    <Callout tone="info">
      <p>
        According to the file, its codes expire from {expiresAt}.{" "}
        <button
          type="button"
          onClick={() => onFacts({ ...facts, expiresAt })}
          className="min-h-6 rounded-sm font-medium underline"
        >
          Use this expiry date
        </button>
      </p>
    </Callout>
  );
}

/** Downloads all refused rows. The service reads the file once more for them. */
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
      toast("Could not download the refused rows. Try again.");
    }
    setPending(false);
  };
  return (
    <Button variant="secondary" pending={pending} onClick={onClick}>
      <Download className="size-4" aria-hidden />
      Download {formatCount(count, "refused row")} as CSV
    </Button>
  );
}
