import type { IncomingMessage } from "node:http";
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from "@/lib/http/upload";
import { pageRefusal, type Refusal } from "@/lib/server/refusal";

/** The framework takes 1 MB of a server action; its own frame comes on top. */
const MAX_FORM = 1_100_000;

/**
 * Refuses a body that no page wants before a byte of it is read: the framework would keep up to 10 MB of it in memory for
 * anyone. Files are let through, in a stream, to the paths that take them. A length is asked for, because only a
 * declared one is held to by the parser; browsers always send it.
 */
export function inspectPageBody({ headers }: IncomingMessage, path: string): Refusal | undefined {
  if (headers["transfer-encoding"] !== undefined) return pageRefusal(411);
  const most = UPLOAD_PATH.test(path) ? MAX_UPLOAD_BYTES : MAX_FORM;
  return Number(headers["content-length"] ?? 0) > most ? pageRefusal(413) : undefined;
}
