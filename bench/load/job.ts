/** One request again and again: `{n}` becomes a number used once, `{slug}` one of the slugs in turn. */
export interface Template {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What a load process is asked to do. It ends after `seconds` or `requests`, whichever is given. */
export interface Job {
  port: number;
  connections: number;
  seconds?: number;
  requests?: number;
  template: Template;
  /** The first `{n}`, and the first that was not prepared and must not be asked for. */
  from: number;
  until: number;
  slugs: string[];
}

/** What came of a job; latencies in milliseconds. */
export interface Result {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Answers other than 200, by status. */
  failed: Record<string, number>;
}

/** Sums up latencies, sorted in place. */
export function sumUp(latencies: Float64Array, seconds: number, failed: Record<string, number>): Result {
  latencies.sort();
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), failed };
}
