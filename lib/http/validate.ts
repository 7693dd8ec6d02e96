import type { z } from "zod";
import { fail } from "@/lib/errors";

/** Parses a body or query by its schema; throws VALIDATION_ERROR that names the first wrong field. */
export function validate<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  return fail("VALIDATION_ERROR", issue?.message, { field: issue?.path.join(".") });
}
