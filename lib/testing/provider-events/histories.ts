import type { Confirmation, ProviderEvent } from "@/lib/program/providers/common/adapter";
import { seededRandom } from "@/lib/testing/numbers";

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

type Step = Confirmation["kind"] | "renewal" | "trial";

/** Renewals, which confirm nothing, because the subscription may be older than the code. */
const NEVER_BOUGHT: Step[] = ["renewal", "renewal"];

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
  NEVER_BOUGHT,
];

const SOUND = COURSES.filter((course) => !course.includes("reverse"));

interface HistoryOptions {
  events: number;
  seed: number;
  refunds: boolean;
}

/** A member releases the redemption of a referee; `again`: the referee then redeems again. */
export interface Release {
  release: string;
  again: boolean;
  occurredAt: number;
}

export interface PurchaseHistory {
  /** The uids of the referees. */
  uids: string[];
  /** The events of their providers and the releases by members, in the order of occurrence. */
  events: (ProviderEvent | Release)[];
}

/**
 * Many end users whose purchases overlap in time. The provider knows every fifth by another id, and a member releases the
 * redemption of every third. Of these, users who redeem again may buy before, between and after; the others never buy.
 */
export function purchaseHistory({ events: wanted, seed, refunds }: HistoryOptions): PurchaseHistory {
  const random = seededRandom(seed);
  const courses = refunds ? COURSES : SOUND;
  const uids: string[] = [];
  const events: PurchaseHistory["events"] = [];
  while (events.length < wanted) {
    const uid = `user ${uids.length}`;
    const moved = uids.length % 5 === 0;
    const course = courses[Math.floor(random() * courses.length)] ?? [];
    let at = START + Math.floor(random() * 1000) * HOUR;
    uids.push(uid);
    if (moved) events.push(linkEvent(uid, at));
    if (uids.length % 3 === 0) {
      const again = course !== NEVER_BOUGHT || random() < 0.5;
      events.push({ release: uid, again, occurredAt: at + Math.floor(random() * 100) * HOUR });
    }
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
    eventId,
    type: step.toUpperCase(),
    uids: [uid],
    occurredAt,
    purchaseId: `purchase of ${uid}`,
    links: [],
    confirmation: {
      kind,
      paid: step !== "trial",
      renewal: step === "renewal",
      sandbox: false,
      conversion: step === "confirm" || undefined,
    },
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
