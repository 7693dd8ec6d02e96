import type { CodeSource } from "./parse";

/** Passes a source on until the signal; then throws its reason at once, also while the source itself is silent. */
export async function* untilAborted(source: CodeSource, signal: AbortSignal | undefined): CodeSource {
  if (!signal) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    while (true) {
      signal.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that never speaks again never ends either.
    iterator.return?.()?.catch(() => undefined);
  }
}
