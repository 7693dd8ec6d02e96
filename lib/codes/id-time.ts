/** The least id that can be made at a moment: ids of version 7 begin with the milliseconds. */
export function idAt(ms: number): string {
  const hex = Math.max(0, Math.trunc(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When an id was made, in milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}
