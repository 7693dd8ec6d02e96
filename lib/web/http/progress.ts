import type { AppError } from "@/lib/platform/errors";
import { retryHeaders } from "@/lib/web/http/answer";

const HEADERS = {
  "Content-Type": "application/x-ndjson; charset=utf-8",
  // Not compressed, because a compressor would hold the lines back.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** The last line of a progress response. */
export type WorkOutcome =
  | { result: object }
  | { error: { message: string; field?: string | undefined; signedOut?: boolean } };

/**
 * A response that grows while the work runs: lines of JSON with the progress, and a last line with the outcome.
 * Newer progress replaces progress that was not read yet, so a slow reader makes the response smaller, not the
 * buffer larger.
 */
export function progressResponse(
  work: (report: (progress: object) => void) => Promise<WorkOutcome>,
  onCancel: () => void,
): Response {
  let progress: object | undefined;
  let outcome: WorkOutcome | undefined;
  let wake: () => void = () => undefined;
  const report = (latest: object) => {
    progress = latest;
    wake();
  };
  const run = work(report).then((end) => {
    outcome = end;
  });
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!progress && !outcome) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Work that throws makes this reject, which cuts the response off.
        await Promise.race([run, woken]);
      }
      const line = outcome ?? (progress && { progress });
      progress = undefined;
      controller.enqueue(Buffer.from(`${JSON.stringify(line)}\n`));
      if (outcome) controller.close();
    },
    cancel: onCancel,
  });
  run.catch(() => undefined);
  return new Response(lines, { headers: HEADERS });
}

/** The same format for work that never started: one line, with the status of the error. */
export function refusedResponse(error: AppError, outcome: WorkOutcome): Response {
  const headers = { ...HEADERS, ...retryHeaders(error) };
  return new Response(`${JSON.stringify(outcome)}\n`, { status: error.status, headers });
}
