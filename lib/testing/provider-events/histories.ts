import type { Confirmation, ProviderEvent } from "@/lib/program/providers/common/adapter";
import { seededRandom } from "@/lib/testing/numbers";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

type Step = Confirmation["kind"] | "renewal" | "trial";

/** The events of one purchase in order: converted trials, refunds of all kinds, refunds before the purchase. */
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

interface HistoryOptions {
  events: number;
  seed: number;
  refunds: boolean;
}

export interface PurchaseHistory {
  /** The uids of the referees. */
  uids: string[];
  /** The events of their providers, in the order of occurrence. */
  events: ProviderEvent[];
}

/** Many end users whose purchases overlap in time. The provider knows every fifth by another id. */
export function purchaseHistory({ events: wanted, seed, refunds }: HistoryOptions): PurchaseHistory {
  const random = seededRandom(seed);
  const courses = refunds ? COURSES : SOUND;
  const uids: string[] = [];
  const events: ProviderEvent[] = [];
  while (events.length < wanted) {
    const uid = `user ${uids.length}`;
    const moved = uids.length % 5 === 0;
    const course = courses[Math.floor(random() * courses.length)] ?? [];
    let at = START + Math.floor(random() * 1000) * HOUR;
    uids.push(uid);
    if (moved) events.push(linkEvent(uid, at));
    for (const [index, step] of course.entries()) {
      at += Math.ceil(random() * 48) * HOUR;
      events.push(purchaseEvent(`${uid} ${index}`, moved ? `${uid} moved` : uid, step, at));
    }
  }
  return { uids, events: events.sort((a, b) => Number(a.occurredAt) - Number(b.occurredAt)) };
}

function purchaseEvent(eventId: string, uid: string, step: Step, occurredAt: number): ProviderEvent {
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

function linkEvent(uid: string, occurredAt: number): ProviderEvent {
  return {
    eventId: `${uid} moves`,
    type: "SUBSCRIBER_ALIAS",
    uids: [uid],
    occurredAt,
    purchaseId: null,
    links: [{ from: uid, to: `${uid} moved` }],
    confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
    payload: {},
  };
}
