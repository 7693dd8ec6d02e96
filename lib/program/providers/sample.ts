import type { Readable } from "@/lib/program/providers/adapter";

/** A made-up body as bytes, with the headers that prove it. */
export function jsonSample(body: unknown, headers: Record<string, string>): Readable {
  return { headers: new Headers(headers), rawBody: new TextEncoder().encode(JSON.stringify(body)) };
}

/** The transaction that a person's made-up purchase and refund share, as a store's would. */
export const testPurchase = (uid: string) => `test:${uid}`;
