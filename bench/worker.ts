/** A worker's response: the result of the job, or the error. */
export type WorkerReply<Result> = { result: Result } | { error: string };

/** Runs the jobs of the parent process one after the other, and ends with the parent. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined);
  process.on("message", (job: Job) => {
    const reply = (message: WorkerReply<Result>) => process.send?.(message);
    work(job).then(
      (result) => reply({ result }),
      (error: unknown) =>
        reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
