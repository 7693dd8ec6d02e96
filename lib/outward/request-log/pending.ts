import { DAY_MS } from "@/lib/contract/format";

/** The end user whom a request names, and the metacode that was typed. */
export interface RequestSubject {
  uid: string;
  metacode: string | undefined;
  platform: string | undefined;
}

/** An answered request of a known caller. It is the frame's own log line, so nothing more is allocated. */
export interface LoggedRequest {
  request_id: string;
  method: string;
  path: string;
  status: number;
  /** Error code of a refused request. */
  error: string | undefined;
  ms: number;
}

/** The key of a request, or the connection of a provider's delivery. */
export interface CallerKey {
  id: string;
  app: { id: string };
  /** Null for a key without a daily budget: its requests are counted for a budget that is set later in the day. */
  dailyBudget?: number | null;
}

/** Details that the process's own log, which names no end user, leaves out. */
export interface LoggedDetails {
  /** The public message of the refusal. */
  message: string | undefined;
  /** Absent where the input is invalid or names no end user. */
  subject: RequestSubject | undefined;
}

interface ListedRequest extends LoggedDetails {
  keyId: string;
  request: LoggedRequest;
  at: number;
}

/** Requests of one key on one day. */
interface DailyCount {
  keyId: string;
  /** Days since 1970, UTC. */
  day: number;
  requests: number;
  refused: number;
  failed: number;
  unlisted: number;
  /** Requests that would have counted for a daily budget. */
  unbudgeted: number;
}

const SECOND = 1_000;

/** Requests of one app that are listed per second and process; further ones are only counted. */
export const LISTED_PER_SECOND = { refused: 50, passed: 10 };

/** One app's requests until they are written: all are counted, the first of each second are listed. */
export class PendingRequests {
  readonly listed: ListedRequest[] = [];
  readonly counts: DailyCount[] = [];
  private readonly current = new Map<string, DailyCount>();
  private second = 0;
  private left = { ...LISTED_PER_SECOND };

  constructor(readonly appId: string) {}

  /** Counts a request and lists it, if `mayList` and the second's share allow. */
  add(key: CallerKey, request: LoggedRequest, details: LoggedDetails, mayList: boolean): void {
    const at = Date.now();
    const keyId = key.id;
    const count = this.countOf(keyId, Math.floor(at / DAY_MS));
    count.requests += 1;
    if (key.dailyBudget === null && request.status < 500 && request.status !== 429) count.unbudgeted += 1;
    if (request.status >= 500) count.failed += 1;
    else if (request.status >= 400) count.refused += 1;
    if (this.isListed(request.status, at, mayList)) this.listed.push({ keyId, request, ...details, at });
    else count.unlisted += 1;
  }

  private countOf(keyId: string, day: number): DailyCount {
    const present = this.current.get(keyId);
    if (present?.day === day) return present;
    const count = { keyId, day, requests: 0, refused: 0, failed: 0, unlisted: 0, unbudgeted: 0 };
    this.current.set(keyId, count);
    this.counts.push(count);
    return count;
  }

  private isListed(status: number, at: number, mayList: boolean): boolean {
    const second = Math.floor(at / SECOND);
    if (second !== this.second) {
      this.second = second;
      this.left = { ...LISTED_PER_SECOND };
    }
    const kind = status >= 400 ? "refused" : "passed";
    this.left[kind] -= 1;
    // Lists at least one row: by its key the database recognises a batch that it has already stored.
    return this.listed.length === 0 || (mayList && this.left[kind] >= 0);
  }
}
