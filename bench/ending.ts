const steps: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

/** Does this when the benchmark ends, however it ends; the last one asked for comes first. */
export function onEnd(step: () => Promise<void>): void {
  steps.push(step);
}

/** Ends everything that was started and removes what was made, once. */
export function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const step of steps.reverse()) {
      await step().catch((error: unknown) => process.stderr.write(`While cleaning up: ${String(error)}\n`));
    }
  })();
  return ending;
}

/** Ctrl-C and a polite kill clean up too. */
export function endOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void endAll().then(() => process.exit(130)));
  }
}
