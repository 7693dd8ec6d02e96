import { seededRandom, shuffled } from "@/lib/testing/numbers";
import { FAULTS, type Strike } from "./faults";

/** A fault of a run, and the seconds of normal service before it. */
export interface PlannedFault extends Strike {
  fault: string;
  pause: number;
}

/** The endless sequence of faults of a seed: every fault once in random order, then again. */
export function* sequenceOf(seed: number): Generator<PlannedFault, never> {
  const random = seededRandom(seed);
  for (;;)
    for (const fault of shuffled(Object.keys(FAULTS), random))
      yield { fault, seconds: 1 + random() * 9, pick: random(), pause: 1 + random() * 3 };
}
