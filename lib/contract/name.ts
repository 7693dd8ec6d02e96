import { z } from "zod";
import { hasControl } from "./text";

/** A name that people give to something of theirs: 1 to 80 characters on one line, spaces around it dropped. */
export function nameField(field: string) {
  return z
    .string({ error: `${field} is required` })
    .trim()
    .min(1, { error: `${field} must not be blank` })
    .max(80, { error: `${field} must be at most 80 characters` })
    .refine((value) => !hasControl(value) && value.isWellFormed(), {
      error: `${field} must not contain control characters`,
    });
}
