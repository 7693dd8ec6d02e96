import type { Confirmation, ProviderEvent } from "@/lib/providers/adapter";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same things in another order. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let left = copy.length - 1; left > 0; left -= 1) {
    const other = Math.floor(random() * (left + 1));
    [copy[left], copy[other]] = [copy[other] as T, copy[left] as T];
  }
  return copy;
}

type Step = Confirmation["kind"] | "renewal" | "trial";

/** What happens to one purchase, in its order: trials that convert, refunds of all kinds, refunds from before it. */
const COURSES: Step[][] = [
  ["confirm"],
  ["trial", "confirm", "renewal"],
  ["confirm", "reverse"],
  ["confirm", "reverse", "restore"],
  ["confirm", "reverse", "restore", "reverse"],
  ["trial", "reverse", "confirm"],
  ["reverse", "confirm", "renewal"],
  ["confirm", "reverse", "reverse", "restore"],
  ["renewal", "renewal"],
];

const SOUND = COURSES.filter((course) => !course.includes("reverse"));

interface Wish {
  events: number;
  seed: number;
  refunds: boolean;
}

export interface Story {
  /** Those who redeemed. */
  people: string[];
  /** What providers tell of them, in the order in which it happened. */
  events: ProviderEvent[];
}

/** Many people whose purchases run through each other in time. Every fifth is known to the provider by another id. */
export function story({ events: wanted, seed, refunds }: Wish): Story {
  const random = seeded(seed);
  const courses = refunds ? COURSES : SOUND;
  const people: string[] = [];
  const events: ProviderEvent[] = [];
  while (events.length < wanted) {
    const uid = `person ${people.length}`;
    const moved = people.length % 5 === 0;
    const course = courses[Math.floor(random() * courses.length)] ?? [];
    let at = START + Math.floor(random() * 1000) * HOUR;
    people.push(uid);
    if (moved) events.push(linking(uid, at));
    for (const [index, step] of course.entries()) {
      at += Math.ceil(random() * 48) * HOUR;
      events.push(telling(`${uid} ${index}`, moved ? `${uid} elsewhere` : uid, step, at));
    }
  }
  return { people, events: events.sort((a, b) => Number(a.occurredAt) - Number(b.occurredAt)) };
}

function telling(eventId: string, uid: string, step: Step, occurredAt: number): ProviderEvent {
  const kind = step === "renewal" || step === "trial" ? "confirm" : step;
  return {
    ...{
      eventId,
      type: step.toUpperCase(),
      uids: [uid],
      occurredAt,
      purchaseId: `purchase of ${uid}`,
      links: [],
    },
    confirmation: { kind, paid: step !== "trial", renewal: step === "renewal", sandbox: false },
    payload: { step },
  };
}

function linking(uid: string, occurredAt: number): ProviderEvent {
  return {
    ...{ eventId: `${uid} moves`, type: "SUBSCRIBER_ALIAS", uids: [uid], occurredAt, purchaseId: null },
    links: [{ from: uid, to: `${uid} elsewhere` }],
    confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
    payload: {},
  };
}
