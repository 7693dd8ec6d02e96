import type { AuditChange } from "@/lib/contract/audit";

export type Values = Record<string, unknown>;

/** A stored value as text; null for an absent one. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    return value.join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** The differences between the two states of an entry, field by field in the order in which they were stored. */
export function diff(before: Values | null, after: Values | null): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after);
}
