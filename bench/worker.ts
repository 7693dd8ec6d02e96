/** What a worker answers: the result of the job, or why there is none. */
export type Reply<Result> = { result: Result } | { error: string };

/** In a child process: does one job after the other as they come over the channel, and ends with its parent. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => undefined);
  process.on("message", (job: Job) => {
    const reply = (message: Reply<Result>) => process.send?.(message);
    work(job).then(
      (result) => reply({ result }),
      (error: unknown) =>
        reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
