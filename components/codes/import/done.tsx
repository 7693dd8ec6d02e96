import Link from "next/link";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import type { ImportReport } from "@/lib/contract/code-file";
import { codesOf, counted } from "../words";

interface Props {
  appId: string;
  report: ImportReport;
  onAgain: () => void;
}

/** How an import ended. */
export function Done({ appId, report, onAgain }: Props) {
  const { batchId, imported, read } = report;
  const base = `/dashboard/apps/${appId}/codes`;
  return (
    <div className="grid gap-5">
      <div role="status">
        <Callout tone="good">
          <p className="font-medium">{codesOf(imported)} imported</p>
          <p>
            {imported === read
              ? "Every row of the file was taken."
              : `${counted(read - imported)} of ${counted(read)} rows were left out.`}
          </p>
        </Callout>
      </div>
      <div className="flex flex-wrap gap-2">
        {batchId && (
          <Link href={`${base}/batches/${batchId}`} className={buttonClass()}>
            See the batch
          </Link>
        )}
        <Button variant="secondary" onClick={onAgain}>
          Import another file
        </Button>
      </div>
    </div>
  );
}
