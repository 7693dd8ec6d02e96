"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { useEffect } from "react";
import { Callout } from "@/components/ui/callout";
import { codesOf } from "../words";
import { forgetImport, lostImport } from "./memory";

interface Fate {
  batchId: string;
  fate: "running" | "done" | "gone";
  imported: number;
}

/** Says what became of an import whose page was closed or reloaded. Asks by the address, so that the server answers. */
export function LostImport({ appId, fate }: { appId: string; fate: Fate | undefined }) {
  const router = useRouter();
  const path = usePathname();
  const asked = fate?.batchId;
  useEffect(() => {
    const lost = lostImport(appId);
    if (lost && lost !== asked) router.replace(`${path}?import=${lost}`);
  }, [appId, asked, path, router]);
  useEffect(() => {
    if (fate && fate.fate !== "running") forgetImport(appId);
  }, [appId, fate]);
  if (!fate) return null;
  return <div role="status">{wordsOf(appId, fate)}</div>;
}

function wordsOf(appId: string, { fate, batchId, imported }: Fate) {
  if (fate === "running") {
    return (
      <Callout tone="warn">
        <p>
          An import from this tab was interrupted and is being cleared away, or still runs in another tab.
          Reload in two minutes to see which.
        </p>
      </Callout>
    );
  }
  if (fate === "gone") {
    return (
      <Callout tone="warn">
        <p>The last import from this tab was cut off. Nothing of it was stored: choose the file again.</p>
      </Callout>
    );
  }
  return (
    <Callout tone="good">
      <p>
        The last import from this tab was finished: {codesOf(imported)}.{" "}
        <Link href={`/dashboard/apps/${appId}/codes/batches/${batchId}`} className="underline">
          See the batch
        </Link>
      </p>
    </Callout>
  );
}
