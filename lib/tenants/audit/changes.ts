import type { EditConflict } from "@/lib/contract/form-state";
import { type AppError, fail } from "@/lib/platform/errors";
import { diff, type Values } from "./diff";

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The named values; null for a missing one. */
const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/**
 * The fields in which two states differ, for the audit log; null for a missing value. `seen` holds the values with
 * which the form of the change was opened, as JSON: a change that would undo another one made since throws CONFLICT
 * with both versions. The caller has locked the row of `before`.
 */
export function changesOf(before: Values, after: Values, seen?: string): { before: Values; after: Values } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.filter((name) => !same(before[name], after[name]));
  if (seen !== undefined) refuseUndoing(before, pick(after, differ), readSeen(seen));
  return { before: pick(before, differ), after: pick(after, differ) };
}

function refuseUndoing(before: Values, changes: Values, seen: Values): void {
  const undone = Object.keys(changes).filter(
    (name) => Object.hasOwn(seen, name) && !same(seen[name], before[name]),
  );
  if (undone.length === 0) return;
  const conflict: EditConflict = {
    changes: diff(pick(before, undone), pick(changes, undone)),
    seen: JSON.stringify(pick(before, Object.keys(seen))),
  };
  const message = "Someone else saved this while you were editing. Nothing was saved";
  fail("CONFLICT", message, { extra: { conflict } });
}

/** The conflict that refused a change, if one did. */
export const conflictOf = (error: AppError): EditConflict | undefined =>
  error.extra?.conflict as EditConflict | undefined;

function readSeen(text: string): Values {
  try {
    const seen: unknown = JSON.parse(text);
    if (typeof seen === "object" && seen !== null) return { ...seen };
  } catch {
    // Not JSON: refused below.
  }
  return fail("VALIDATION_ERROR", "Reload the page and save again");
}
