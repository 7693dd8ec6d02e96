const SHOWN = 4;

/** A code as lists show it: its last four characters, or two where it is short. */
export function maskCode(code: string): string {
  return `••••${code.slice(-Math.min(SHOWN, Math.floor(code.length / 2)))}`;
}
