const steps: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

/** Registers a step for the end of the benchmark, also after an error or a signal. The steps run last to first. */
export function onCleanup(step: () => Promise<void>): void {
  steps.push(step);
}

/** Runs the registered steps, once. */
export function cleanUp(): Promise<void> {
  ending ??= (async () => {
    for (const step of steps.reverse()) {
      await step().catch((error: unknown) => process.stderr.write(`While cleaning up: ${String(error)}\n`));
    }
  })();
  return ending;
}

/** Cleans up on Ctrl-C, on a termination signal, and after an error that was not caught. */
export function cleanUpOnSignals(): void {
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanUp().then(() => process.exit(1));
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void cleanUp().then(() => process.exit(130)));
  }
}
