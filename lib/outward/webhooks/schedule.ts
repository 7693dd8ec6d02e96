import { LEASE_S } from "@/lib/platform/jobs/queue";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The rules of the delivery queue, in seconds. Tests scale them. */
export interface Schedule {
  /** The wait before each attempt, from the previous one; after the last attempt the delivery is dead. */
  waits: number[];
  /** How long a worker's lease of a delivery lasts, unless the worker extends it. */
  lease: number;
  /** Requests under way to one endpoint, so that a slow one does not occupy all workers. */
  parallel: number;
  /** Deliveries of one endpoint that a worker leases: those under way, and the next ones. */
  batch: number;
  /**
   * How long a leased delivery may wait for its request. After that it is returned, and taken again with the
   * address and secret that its endpoint has then.
   */
  patience: number;
  /** Failures in a row after which an endpoint is slowed, with the first and the longest pause. */
  slow_after: number;
  slow_first: number;
  slow_most: number;
  /** Time since the first failure after a success, until owners are notified and until it is disabled. */
  warn_after: number;
  disable_after: number;
}

export const SCHEDULE: Schedule = {
  waits: [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  lease: LEASE_S,
  parallel: 8,
  batch: 192,
  patience: 2,
  slow_after: 5,
  slow_first: 5,
  slow_most: 5 * MINUTE,
  warn_after: HOUR,
  disable_after: 5 * DAY,
};
