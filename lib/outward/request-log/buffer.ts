import {
  type CallerKey,
  type LoggedDetails,
  type LoggedRequest,
  PendingRequests,
} from "@/lib/outward/request-log/pending";
import { storeRequests } from "@/lib/outward/request-log/store";
import { type Db, database } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";

/** Maximum listed requests in memory; further requests are only counted. */
const MAX_LISTED = 5_000;

/**
 * Answered requests waiting for the database, written once a second, app by app. Adding one costs two look-ups and
 * at most one small object. A crash loses at most a second of requests.
 */
export class RequestBuffer extends WriteBehind {
  private pending = new Map<string, PendingRequests>();
  /** Already sent and perhaps stored: retried unchanged, before any newer requests of the app. */
  private readonly tried = new Map<string, PendingRequests>();
  private listed = 0;

  constructor(private readonly db: () => Db) {
    super();
  }

  /** Adds an answered request of a key or a provider's connection. Never throws. */
  add(key: CallerKey, request: LoggedRequest, details: LoggedDetails): void {
    let pending = this.pending.get(key.app.id);
    if (!pending) {
      pending = new PendingRequests(key.app.id);
      this.pending.set(key.app.id, pending);
    }
    const before = pending.listed.length;
    pending.add(key.id, request, details, this.listed < MAX_LISTED);
    this.listed += pending.listed.length - before;
    this.arm();
  }

  protected async write(): Promise<void> {
    for (const pending of [...this.tried.values()]) await this.store(pending);
    const fresh = [...this.pending.values()].filter(({ appId }) => !this.tried.has(appId));
    for (const pending of fresh) {
      this.pending.delete(pending.appId);
      await this.store(pending);
    }
    if (this.tried.size > 0 || this.pending.size > 0) this.arm();
  }

  private async store(pending: PendingRequests): Promise<void> {
    try {
      await storeRequests(this.db(), pending);
    } catch (error) {
      const retry = isOutage(error);
      const requests = pending.counts.reduce((sum, count) => sum + count.requests, 0);
      log().warn({ err: error, requests, retry }, "Requests could not be stored");
      if (retry) {
        this.tried.set(pending.appId, pending);
        return;
      }
    }
    this.tried.delete(pending.appId);
    this.listed -= pending.listed.length;
  }
}

/** The process's buffer. */
export function requestBuffer(): RequestBuffer {
  return singleton("requests.buffer", () => new RequestBuffer(database));
}

/** Writes the pending requests; for a clean shutdown. */
export function flushRequests(): Promise<void> {
  return requestBuffer().flush();
}
