"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { blockLeaving } from "@/components/ui/unsaved";
import type { CheckReport, DateOrder, ImportReport } from "@/lib/contract/code-file";
import { type PoolChoice, poolQuery } from "./choose-pool";
import { forgetImport, rememberImport, reportHref, whenReachable } from "./running-import";
import { type UploadError, UploadFailure, type UploadProgress, uploadFile } from "./transport";

/** The details of a file beside its rows. */
export interface FileFacts {
  /** The value of a {@link PoolChoice}. */
  pool: string;
  offer: string;
  expiresAt: string;
  origin: string;
  /** Says whether the day or the month comes first in the file's dates, such as 05/12/2027. */
  dates: DateOrder;
}

export interface CodeFile {
  blob: Blob;
  name: string;
  unfitting?: PoolChoice | undefined;
}

type Work = "check" | "store";

/** The reason with which an upload is aborted when the reader leaves the page. */
const LEFT = "left";

/** The step of the import of a file. */
export type ImportStep =
  | { at: "form"; failure?: (UploadError & { retry: boolean }) | undefined }
  | { at: "working"; work: Work; total: number; progress: UploadProgress }
  // `lost`: the import was sent, and its outcome is not known here.
  | { at: "checked"; report: CheckReport; error?: UploadError | undefined; lost?: boolean }
  | { at: "done"; report: ImportReport };

/** The address of an upload, with the details of the file in its query. */
export function uploadUrl(
  appId: string,
  work: Work | "refused",
  { pool, ...facts }: FileFacts,
  more: Record<string, string> = {},
): string {
  const filled = Object.entries({ ...poolQuery(pool), ...facts, ...more }).filter(
    ([, value]) => value !== "",
  );
  return `/dashboard/apps/${appId}/codes/import/${work}?${new URLSearchParams(filled)}`;
}

/** Runs the check and the import of a file. `pasted`: whether codes are pasted on the page. */
export function useImport(appId: string, pasted: boolean) {
  const [step, setStep] = useState<ImportStep>({ at: "form" });
  const running = useRef<AbortController>(undefined);
  const endLookUp = useRef<() => void>(undefined);
  const router = useRouter();
  const reason = reasonToStay(step, pasted);
  useEffect(() => (reason ? blockLeaving(reason) : undefined), [reason]);
  useEffect(() => () => running.current?.abort(LEFT), []);
  useEffect(() => () => endLookUp.current?.(), []);

  const send = <Result>(work: Work, file: CodeFile, url: string): Promise<Result> => {
    running.current = new AbortController();
    endLookUp.current?.();
    const total = file.blob.size;
    const show = (progress: UploadProgress) =>
      setStep({ at: "working", work, total, progress: { ...progress } });
    show({ sent: 0 });
    return uploadFile<Result>(url, file.blob, show, running.current.signal);
  };

  const check = async (file: CodeFile, facts: FileFacts): Promise<CheckReport | undefined> => {
    try {
      const report = await send<CheckReport>("check", file, uploadUrl(appId, "check", facts));
      const { evident } = report.dates;
      if (evident && evident !== facts.dates) return await check(file, { ...facts, dates: evident });
      setStep({ at: "checked", report });
      return report;
    } catch (failure) {
      const error = errorOf(failure);
      setStep({ at: "form", failure: error && { ...error, retry: isLost(failure) || !!error.signedOut } });
    }
  };

  const store = async (file: CodeFile, facts: FileFacts, report: CheckReport) => {
    const { batchId } = report;
    // The import button is disabled until the reader has agreed to every concern.
    const agreed = Object.keys(report.concerns).join(",");
    const url = uploadUrl(appId, "store", facts, { batchId, agreed });
    rememberImport(appId, batchId);
    try {
      const stored = await send<ImportReport>("store", file, url);
      setStep({ at: "done", report: stored });
      forgetImport(appId);
      return stored;
    } catch (failure) {
      const error = errorOf(failure);
      if (running.current?.signal.reason === LEFT)
        return void toast("Import stopped. It is listed only if its last row was stored already.");
      const lost = isLost(failure);
      setStep({ at: "checked", report, error, lost });
      // Only the server knows the outcome of a lost response, and whether the last row was stored before a cancel.
      if (!lost && error && !(step.at === "checked" && step.lost)) forgetImport(appId);
      else endLookUp.current = whenReachable(() => router.replace(reportHref(location.href, batchId)));
    }
  };

  const restart = () => setStep({ at: "form" });
  return { step, check, store, cancel: () => running.current?.abort(), restart };
}

/** The question before the reader leaves the page; undefined if there is nothing to lose. */
function reasonToStay(step: ImportStep, pasted: boolean): string | undefined {
  if (step.at === "working" && step.work === "store")
    return "Codes are being imported. Leaving cancels the import.";
  if (pasted) return "The codes you pasted are not imported yet.";
  const chosen = step.at === "working" || (step.at === "checked" && step.report.fresh > 0);
  return chosen ? "The file you chose is not imported yet." : undefined;
}

function errorOf(failure: unknown): UploadError | undefined {
  if (failure instanceof UploadFailure) return failure.error;
  throw failure;
}

const isLost = (failure: unknown): boolean => failure instanceof UploadFailure && failure.lost;
