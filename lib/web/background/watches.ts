import { repairClock } from "@/lib/outward/rounds/clock";
import { databaseClock, databaseTime, secondsAhead } from "@/lib/platform/db/chunks";
import { database } from "@/lib/platform/db/client";
import { repeat } from "@/lib/platform/jobs/repeat";
import { log } from "@/lib/platform/log";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const CLOCK_MS = 20 * SECOND_MS;

/** Watches the database's clock, because rounds stop when it is set back. Returns the function that ends the watch. */
export function watchDatabaseClock(): () => void {
  return repeat({
    everyMs: CLOCK_MS,
    round: async () => {
      await repairClock(database());
    },
    failure: "the database's clock could not be checked",
  });
}

const WRONG_CLOCK = "the clock of this machine and that of the database differ: correct the wrong one";

/** Reads the database's clock every 20 s, and at once after a jump of the machine's. Warns once they differ by a minute. */
export function watchClock(): () => void {
  let [due, noted, before] = [0, 0, false];
  return repeat({
    everyMs: SECOND_MS,
    atOnce: true,
    round: async () => {
      const machine = Date.now() - performance.now();
      if (performance.now() < due && Math.abs(machine - noted) < MINUTE_MS) return;
      [due, noted] = [performance.now() + CLOCK_MS, machine];
      const base = (await databaseTime(database())).getTime() - performance.now();
      Object.assign(databaseClock(), { base, machine });
      const seconds = secondsAhead();
      if (seconds && !before) log().warn({ seconds }, WRONG_CLOCK);
      before = seconds !== undefined;
    },
    failure: "the database's clock could not be read",
  });
}
