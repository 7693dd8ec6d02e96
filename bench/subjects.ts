import type { ChildProcess } from "node:child_process";
import { ask } from "@/bench/children";
import type { Job, Result, Template } from "@/bench/load/job";

/** Something that is measured: how to put load on it, and the processes whose CPU it uses. */
export interface Subject {
  name: string;
  pids: number[];
  run(load: Load): Promise<Result>;
}

/** How much load: a number of connections for a time or a number of requests. */
export type Load = Pick<Job, "connections"> & { seconds?: number; requests?: number };

/** What every run of one kind of request shares: numbers used once, and how many were prepared. */
export class Numbers {
  private next = 0;
  constructor(
    readonly slugs: string[],
    private readonly prepared = Number.MAX_SAFE_INTEGER,
  ) {}

  /** Runs with numbers not used before. Throws where the prepared rows do not last: the answers would be others. */
  async use(load: Load, run: (job: Omit<Job, "port" | "template">) => Promise<Result>): Promise<Result> {
    const result = await run({ ...load, from: this.next, until: this.prepared, slugs: this.slugs });
    this.next += result.requests;
    if (this.next >= this.prepared) throw new Error("More rows were asked for than were prepared");
    return result;
  }
}

/** A request to an HTTP server, sent by the load process. */
export function httpSubject(
  loader: ChildProcess,
  name: string,
  target: { port: number; pids: number[]; template: Template; numbers: Numbers },
): Subject {
  const { port, pids, template, numbers } = target;
  return {
    name,
    pids,
    run: (load) => numbers.use(load, (job) => ask<Result>(loader, { ...job, port, template })),
  };
}
