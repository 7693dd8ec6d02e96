const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the queue of deliveries goes by, in seconds. Tests scale it. */
export interface Schedule {
  /** Before each attempt, from the one before; after the last the delivery is dead. */
  waits: number[];
  /** Whoever took a delivery has this long; more than a request can take. */
  lease: number;
  /** A job that is this late does not come any more. */
  grace: number;
  /** Deliveries on their way to one endpoint at once, so that a slow one does not keep all senders. */
  parallel: number;
  /** Failures in a row after which an endpoint is slowed, by this much at first and at most. */
  slow_after: number;
  slow_first: number;
  slow_most: number;
  /** Since the first failure after a success. */
  warn_after: number;
  disable_after: number;
}

export const SCHEDULE: Schedule = {
  waits: [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  lease: 30,
  grace: MINUTE,
  parallel: 8,
  slow_after: 5,
  slow_first: 5,
  slow_most: 5 * MINUTE,
  warn_after: HOUR,
  disable_after: 5 * DAY,
};
