import { fail } from "@/lib/errors";

const MAX = 60;

/** The owner's word for a connection: blank is none. Throws VALIDATION_ERROR. */
export function parseName(given: string | null | undefined): string | null {
  const name = given?.trim() ?? "";
  if (name === "") return null;
  if (name.length > MAX || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    fail("VALIDATION_ERROR", `name must be at most ${MAX} characters`, { field: "name" });
  }
  return name;
}
