import { clickId } from "@/lib/clicks/click-id";
import { type Db, database } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import { log } from "@/lib/log";
import { shared } from "@/lib/shared";
import { Writer } from "@/lib/writer";

/** A visitor of a referrer's page on one day. */
export interface Visit {
  appId: string;
  referrerId: string;
  visitor: Buffer;
}

interface Click extends Visit {
  id: string;
  at: Date;
}

const BATCH = 500;
/** While the database is away; what comes beyond is not counted. */
const MAX_PENDING = 10_000;
const MAX_KNOWN = 50_000;

function keyOf({ referrerId, visitor }: Visit): string {
  return `${referrerId}${visitor.toString("base64")}`;
}

function byApp(clicks: Click[]): Map<string, Click[]> {
  const groups = new Map<string, Click[]>();
  for (const click of clicks) {
    const group = groups.get(click.appId);
    if (group) group.push(click);
    else groups.set(click.appId, [click]);
  }
  return groups;
}

/**
 * Clicks on their way to the database, written each second or when 500 wait, never one by one. A crash loses at most
 * a second of them. `known` remembers the click of each visitor who was here, so that a reload is the same click.
 */
export class ClickBuffer extends Writer {
  private pending: Click[] = [];
  private readonly known = new Map<string, string>();

  constructor(private readonly db: () => Db) {
    super();
  }

  /** Whether the visitor was here before, as far as this process remembers. */
  knows(visit: Visit): boolean {
    return this.known.has(keyOf(visit));
  }

  /** Takes a visit and returns the id of its click, the same for the same visitor. */
  add(visit: Visit): string {
    const key = keyOf(visit);
    const known = this.known.get(key);
    if (known) return known;
    const id = clickId(visit);
    this.remember(key, id);
    if (this.pending.length < MAX_PENDING) this.pending.push({ ...visit, id, at: new Date() });
    if (this.pending.length === BATCH) void this.flush();
    else this.arm();
    return id;
  }

  private remember(key: string, id: string): void {
    const oldest = this.known.keys().next();
    if (this.known.size >= MAX_KNOWN && !oldest.done) this.known.delete(oldest.value);
    this.known.set(key, id);
  }

  protected async write(): Promise<void> {
    const clicks = this.pending;
    this.pending = [];
    // A statement each app, or it would touch the shards of all of them.
    for (const [appId, group] of byApp(clicks)) {
      await this.store(appId, group).catch((error: unknown) => this.keep(group, error));
    }
    if (this.pending.length > 0) this.arm();
  }

  private async store(appId: string, clicks: Click[]): Promise<void> {
    await this.db().call("store_clicks", [
      appId,
      clicks.map((click) => click.id),
      clicks.map((click) => click.referrerId),
      clicks.map((click) => click.visitor),
      clicks.map((click) => click.at),
    ]);
  }

  private keep(clicks: Click[], error: unknown): void {
    const again = isOutage(error) && this.pending.length + clicks.length <= MAX_PENDING;
    log().warn({ err: error, clicks: clicks.length, again }, "clicks could not be written");
    if (again) this.pending.unshift(...clicks);
  }
}

/** The process's buffer. */
export function clickBuffer(): ClickBuffer {
  return shared("clicks.buffer", () => new ClickBuffer(database));
}
