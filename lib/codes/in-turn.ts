import { shared } from "@/lib/shared";

/** Imports that store codes at the same time in one process. Each takes two of its eight database connections. */
const MOST = 2;

interface Line {
  running: number;
  waiting: (() => void)[];
}

/** Does `work` when fewer than {@link MOST} others run, in the order of asking: imports leave the API its connections. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const line = shared("codes.imports", (): Line => ({ running: 0, waiting: [] }));
  if (line.running < MOST) line.running += 1;
  else await new Promise<void>((resolve) => line.waiting.push(resolve));
  try {
    return await work();
  } finally {
    // The turn is handed on, so that nobody who comes just now slips in between.
    const next = line.waiting.shift();
    if (next) next();
    else line.running -= 1;
  }
}
