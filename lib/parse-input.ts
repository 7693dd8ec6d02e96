import type { z } from "zod";
import { fail } from "@/lib/errors";

/** Parses what a person or command handed in; throws VALIDATION_ERROR with the first wrong field, or `name`. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown, name?: string): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") || name;
  return fail("VALIDATION_ERROR", issue?.message, field ? { field } : {});
}
