import { readFileSync, writeFileSync } from "node:fs";

// Preloaded by every Node process of the service (`--import`): shifts `Date` by the milliseconds in the file of
// `CHAOS_CLOCK`. Timers and `performance` go on unchanged, as when an operator sets a clock. The clock of PostgreSQL stays.
const REREAD_MS = 100;

const Real = globalThis.Date;
let shift = 0;
const now = () => Real.now() + shift;

/** Shifts the clock of this process by the milliseconds in the file, and follows its changes. */
function followClock(file: string): void {
  const Moved = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  Real.prototype.constructor = Moved;
  globalThis.Date = Moved;
  const read = () => {
    const text = tryRead(file);
    if (text !== "") shift = Number(text);
  };
  read();
  setInterval(read, REREAD_MS).unref();
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Moves the clocks of all processes that follow a file. */
export function moveClocks(file: string, ms: number): void {
  writeFileSync(file, String(ms));
}

if (process.env.CHAOS_CLOCK) followClock(process.env.CHAOS_CLOCK);
