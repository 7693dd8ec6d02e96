import type { ChildProcess } from "node:child_process";
import { requestJob } from "@/bench/children";
import type { LoadJob, LoadResult, Template } from "@/bench/load/job";

/** A subject of a measurement: a function that puts load on it, and the processes whose CPU counts. */
export interface Subject {
  name: string;
  pids: number[];
  run(load: LoadSize): Promise<LoadResult>;
}

/** The amount of load: connections, for a time or a number of requests. */
export type LoadSize = Pick<LoadJob, "connections"> & { seconds?: number; requests?: number };

/** The numbers for all runs of one kind of request. Each is used once, and only those below `prepared` have rows. */
export class Numbers {
  private next = 0;
  constructor(
    readonly slugs: string[],
    private readonly prepared = Number.MAX_SAFE_INTEGER,
  ) {}

  /** Runs with unused numbers. Throws when the prepared rows are used up, because the responses would differ. */
  async use(
    load: LoadSize,
    run: (job: Omit<LoadJob, "port" | "template">) => Promise<LoadResult>,
  ): Promise<LoadResult> {
    const result = await run({ ...load, from: this.next, until: this.prepared, slugs: this.slugs });
    this.next += result.requests;
    if (this.next >= this.prepared) throw new Error("The prepared rows are used up");
    return result;
  }
}

/** A subject on an HTTP server; the load process sends the requests. */
export function httpSubject(
  loader: ChildProcess,
  name: string,
  target: { port: number; pids: number[]; template: Template; numbers: Numbers },
): Subject {
  const { port, pids, template, numbers } = target;
  return {
    name,
    pids,
    run: (load) => numbers.use(load, (job) => requestJob<LoadResult>(loader, { ...job, port, template })),
  };
}
