const HEADERS = {
  "Content-Type": "application/x-ndjson; charset=utf-8",
  // Neither kept nor compressed: a compressor would hold the lines back.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** How work ended, as the last line says it. */
export type Outcome = { result: object } | { error: { message: string; field?: string | undefined } };

/**
 * An answer that grows while the work goes on: a line of JSON for how far it is, and a last one for how it ended. Progress
 * that nobody has read yet gives way to newer, so that the answer stays small however slowly it is read.
 */
export function progressResponse(
  work: (tell: (progress: object) => void) => Promise<Outcome>,
  onCancel: () => void,
): Response {
  let progress: object | undefined;
  let outcome: Outcome | undefined;
  let wake: () => void = () => undefined;
  const tell = (news: object) => {
    progress = news;
    wake();
  };
  const run = work(tell).then((end) => {
    outcome = end;
    wake();
  });
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!progress && !outcome) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const news = outcome ?? (progress && { progress });
      progress = undefined;
      controller.enqueue(Buffer.from(`${JSON.stringify(news)}\n`));
      if (outcome) controller.close();
    },
    cancel: onCancel,
  });
  run.catch(() => undefined);
  return new Response(lines, { headers: HEADERS });
}

/** The same form where the work never began: one line, with the status that says why. */
export function refusedResponse(status: number, outcome: Outcome): Response {
  return new Response(`${JSON.stringify(outcome)}\n`, { status, headers: HEADERS });
}
