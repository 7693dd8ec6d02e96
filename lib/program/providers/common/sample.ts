import type { Readable } from "@/lib/program/providers/common/adapter";

/** The body of a test event as bytes, with the headers that prove it. */
export function jsonSample(body: unknown, headers: Record<string, string>): Readable {
  return { headers: new Headers(headers), rawBody: new TextEncoder().encode(JSON.stringify(body)) };
}

/** The transaction shared by a person's test purchase and refund, as in a real store. */
export const testPurchase = (uid: string) => `test:${uid}`;
