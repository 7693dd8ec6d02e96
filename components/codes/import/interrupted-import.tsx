"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { formatCount } from "@/lib/contract/format";
import { forgetImport, reportHref, runningImport } from "./running-import";

interface Outcome {
  batchId: string;
  fate: "running" | "done" | "undone" | "gone";
  imported: number;
}

/**
 * Reports the outcome of an import that was cancelled, or whose page was closed or reloaded. The id goes into the address,
 * so that the server looks it up.
 */
export function InterruptedImport({ appId, outcome }: { appId: string; outcome: Outcome | undefined }) {
  const router = useRouter();
  const shown = outcome?.batchId;
  useEffect(() => {
    const interrupted = runningImport(appId);
    if (interrupted && interrupted !== shown) router.replace(reportHref(location.href, interrupted));
  }, [appId, shown, router]);
  useEffect(() => {
    if (outcome && outcome.fate !== "running") forgetImport(appId);
  }, [appId, outcome]);
  if (!outcome) return null;
  return (
    <div role="status">
      <OutcomeNotice appId={appId} outcome={outcome} />
    </div>
  );
}

function OutcomeNotice({ appId, outcome: { fate, batchId, imported } }: { appId: string; outcome: Outcome }) {
  if (fate === "running") {
    return (
      <Callout tone="warn">
        <p>
          An import from this tab was cancelled or interrupted and is being removed, or it is still running in
          another tab.
        </p>
        <AutoRefresh />
      </Callout>
    );
  }
  if (fate === "gone" || fate === "undone") {
    const end =
      fate === "gone" ? "cancelled or interrupted, and nothing was stored" : "complete and undone since";
    return (
      <Callout tone="warn">
        <p>Your last import was {end}.</p>
      </Callout>
    );
  }
  return (
    <Callout tone="good">
      <p>
        Your last import is complete: {formatCount(imported, "code")}.{" "}
        <Link href={`/dashboard/apps/${appId}/codes/batches/${batchId}`} className="underline">
          View batch
        </Link>
      </p>
    </Callout>
  );
}
