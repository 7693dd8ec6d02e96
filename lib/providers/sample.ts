import type { Readable } from "@/lib/providers/adapter";

/** A body of ours as bytes, with the headers that prove it. */
export function jsonSample(body: unknown, headers: Record<string, string>): Readable {
  return { headers: new Headers(headers), rawBody: new TextEncoder().encode(JSON.stringify(body)) };
}

/** One person's made-up purchase and its refund are about the same transaction, as a store's would be. */
export const testPurchase = (uid: string) => `test:${uid}`;
