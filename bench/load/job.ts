/** A repeated request: `{n}` becomes a unique number, `{slug}` the next of the slugs. */
export interface Template {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A load process's job. It ends after `seconds` or `requests`, whichever is set. */
export interface LoadJob {
  port: number;
  connections: number;
  seconds?: number;
  requests?: number;
  template: Template;
  /** The first `{n}`, and the end of the prepared numbers. */
  from: number;
  until: number;
  slugs: string[];
}

/** The result of a job; latencies in milliseconds. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Responses other than 200, by status. */
  failed: Record<string, number>;
}

/** Summarises latencies, which it sorts in place. */
export function sumUp(latencies: Float64Array, seconds: number, failed: Record<string, number>): LoadResult {
  latencies.sort();
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), failed };
}
