/** A request with a valid key, once it is answered. The frame's own log line, so that nothing is made for this. */
export interface Answered {
  request_id: string;
  method: string;
  path: string;
  status: number;
  /** Code of the error, where it was refused. */
  error: string | undefined;
  ms: number;
}

/** The key that asked. */
export interface Asker {
  id: string;
  app: { id: string };
}

interface Line {
  keyId: string;
  told: Answered;
  /** The public words of the refusal. */
  message: string | undefined;
  at: number;
}

/** Requests of one key on one day. */
interface Count {
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  requests: number;
  refused: number;
  failed: number;
  unlisted: number;
}

const SECOND = 1_000;
const DAY = 86_400_000;

/** Kept of one app in one second and process; what is beyond is counted and not listed. */
export const KEPT_PER_SECOND = { refused: 50, passed: 10 };

/** What one app's requests leave behind until they are written: counted all, listed the first of each second. */
export class Batch {
  readonly lines: Line[] = [];
  readonly counts: Count[] = [];
  private readonly current = new Map<string, Count>();
  private second = 0;
  private left = { ...KEPT_PER_SECOND };

  constructor(readonly appId: string) {}

  /** Counts a request and, `room` permitting, lists it. */
  add(keyId: string, told: Answered, message: string | undefined, room: boolean): void {
    const at = Date.now();
    const count = this.countOf(keyId, Math.floor(at / DAY));
    count.requests += 1;
    if (told.status >= 500) count.failed += 1;
    else if (told.status >= 400) count.refused += 1;
    if (this.takes(told.status, at, room)) this.lines.push({ keyId, told, message, at });
    else count.unlisted += 1;
  }

  private countOf(keyId: string, day: number): Count {
    const known = this.current.get(keyId);
    if (known?.day === day) return known;
    const count = { keyId, day, requests: 0, refused: 0, failed: 0, unlisted: 0 };
    this.current.set(keyId, count);
    this.counts.push(count);
    return count;
  }

  private takes(status: number, at: number, room: boolean): boolean {
    const second = Math.floor(at / SECOND);
    if (second !== this.second) {
      this.second = second;
      this.left = { ...KEPT_PER_SECOND };
    }
    const kind = status >= 400 ? "refused" : "passed";
    this.left[kind] -= 1;
    // One line is in every batch: by it the database knows a batch that it has written before.
    return this.lines.length === 0 || (room && this.left[kind] >= 0);
  }
}
