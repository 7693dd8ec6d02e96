import type { z } from "zod";
import { fail } from "@/lib/platform/errors";

/** Parses the input of a caller, form or command. Throws VALIDATION_ERROR with the first wrong field, or `name`. */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown, name?: string): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return fail("VALIDATION_ERROR", issue?.message, { field: issue?.path.join(".") || name });
}
