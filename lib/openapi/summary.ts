import type { OperationLine } from "@/lib/contract/reference";
import { OPERATIONS } from "./operations";

/** Every operation in a line, for readers without script. */
export function summary(): OperationLine[] {
  return OPERATIONS.map(({ id, method, path, summary, description }) => ({
    ...{ id, summary, description },
    call: `${method.toUpperCase()} /api${path}`,
  }));
}
