/** What people call a batch: its file, else its offer. */
export function batchName({ origin, offer }: { origin?: string | null; offer?: string | null }): string {
  return origin ?? offer ?? "Batch without a name";
}
