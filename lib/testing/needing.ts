/** The name of a test that needs something of its machine, with the reason if it is skipped. */
export function needing(name: string, found: unknown, lack: string): string {
  return found ? name : `${name} (skipped: ${lack})`;
}
