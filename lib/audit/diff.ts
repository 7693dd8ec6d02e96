import type { AuditChange } from "@/lib/contract/audit";

type State = Record<string, unknown> | null;

/** A stored value as people read it; null for nothing. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null)) {
    return value.join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** Two states of a thing as what differs between them, field by field in the order of writing. */
export function diff(before: State, after: State): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}
