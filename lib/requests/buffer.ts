import { type Db, database } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { log } from "@/lib/log";
import { type Answered, type Asker, Batch } from "@/lib/requests/batch";
import { storeBatch } from "@/lib/requests/store";
import { shared } from "@/lib/shared";
import { Writer } from "@/lib/writer";

/** Lines waiting in all; beyond them requests are counted only. */
const MAX_LINES = 5_000;

/**
 * Answered requests on their way to the database: a batch an app, written each second. Adding one takes two look-ups
 * and at most one small object. A crash loses at most a second of them.
 */
export class RequestBuffer extends Writer {
  private batches = new Map<string, Batch>();
  /** Tried already and maybe written: comes again as it is, before anything newer of its app. */
  private readonly tried = new Map<string, Batch>();
  private lines = 0;

  constructor(private readonly db: () => Db) {
    super();
  }

  /** Takes a request of a valid key that has been answered. Never throws. */
  add(key: Asker, told: Answered, message: string | undefined): void {
    let batch = this.batches.get(key.app.id);
    if (!batch) {
      batch = new Batch(key.app.id);
      this.batches.set(key.app.id, batch);
    }
    const before = batch.lines.length;
    batch.add(key.id, told, message, this.lines < MAX_LINES);
    this.lines += batch.lines.length - before;
    this.arm();
  }

  protected async write(): Promise<void> {
    for (const batch of [...this.tried.values()]) await this.attempt(batch);
    const fresh = [...this.batches.values()].filter(({ appId }) => !this.tried.has(appId));
    for (const batch of fresh) {
      this.batches.delete(batch.appId);
      await this.attempt(batch);
    }
    if (this.tried.size > 0 || this.batches.size > 0) this.arm();
  }

  private async attempt(batch: Batch): Promise<void> {
    try {
      await storeBatch(this.db(), batch);
    } catch (error) {
      const again = isOutage(error);
      const requests = batch.counts.reduce((sum, count) => sum + count.requests, 0);
      log().warn({ err: error, requests, again }, "requests could not be written down");
      if (again) {
        this.tried.set(batch.appId, batch);
        return;
      }
    }
    this.tried.delete(batch.appId);
    this.lines -= batch.lines.length;
  }
}

/** The process's buffer. */
export function requestBuffer(): RequestBuffer {
  return shared("requests.buffer", () => new RequestBuffer(database));
}

/** Writes the requests that wait; for a clean shutdown. */
export function flushRequests(): Promise<void> {
  return requestBuffer().flush();
}
