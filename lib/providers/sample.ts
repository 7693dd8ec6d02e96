import type { Readable } from "@/lib/providers/adapter";

/** A body of ours as bytes, with the headers that prove it. */
export function jsonSample(body: unknown, headers: Record<string, string>): Readable {
  return { headers: new Headers(headers), rawBody: new TextEncoder().encode(JSON.stringify(body)) };
}
