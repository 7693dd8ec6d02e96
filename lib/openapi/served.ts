import { shared } from "@/lib/shared";
import { openApiDocument } from "./document";

/** The document as text, made once in a process. */
export function servedDocument(): string {
  return shared("openapi.document", () => `${JSON.stringify(openApiDocument(), null, 2)}\n`);
}
