import { sqlFunction } from "@/lib/platform/db/calls";
import { type Db, database } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { WriteBehind } from "@/lib/platform/write-behind";
import { clickId, type PageVisitor } from "@/lib/program/clicks/visitor";

interface Click extends PageVisitor {
  id: string;
  at: Date;
}

export const STORE_CLICKS = sqlFunction("store_clicks", {
  app: "uuid",
  ids: "uuid[]",
  referrers: "uuid[]",
  visitors: "bytea[]",
  times: "timestamptz[]",
}).returns<void>();

const BATCH = 500;
/** Pending clicks during an outage of the database; further ones are not counted. */
const MAX_PENDING = 10_000;
const MAX_KNOWN = 50_000;

function keyOf({ referrerId, visitor }: PageVisitor): string {
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
 * Clicks waiting for the database, written once a second or when 500 wait. A crash loses at most a second of
 * clicks. `known` holds the click of each recent visitor, so that a reload is the same click.
 */
export class ClickBuffer extends WriteBehind {
  private pending: Click[] = [];
  private readonly known = new Map<string, string>();

  constructor(private readonly db: () => Db) {
    super();
  }

  /** Whether this process remembers the visitor. */
  knows(visitor: PageVisitor): boolean {
    return this.known.has(keyOf(visitor));
  }

  /** Adds a visitor and returns the id of the click, always the same for one visitor. */
  add(visitor: PageVisitor): string {
    const key = keyOf(visitor);
    const known = this.known.get(key);
    if (known) return known;
    const id = clickId(visitor);
    this.remember(key, id);
    if (this.pending.length < MAX_PENDING) this.pending.push({ ...visitor, id, at: new Date() });
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
    // A statement per app, so that each touches one shard.
    for (const [appId, group] of byApp(clicks)) {
      await this.store(appId, group).catch((error: unknown) => this.retry(group, error));
    }
    if (this.pending.length > 0) this.arm();
  }

  private async store(appId: string, clicks: Click[]): Promise<void> {
    await this.db().call(STORE_CLICKS, {
      app: appId,
      ids: clicks.map((click) => click.id),
      referrers: clicks.map((click) => click.referrerId),
      visitors: clicks.map((click) => click.visitor),
      times: clicks.map((click) => click.at),
    });
  }

  private retry(clicks: Click[], error: unknown): void {
    const again = isOutage(error) && this.pending.length + clicks.length <= MAX_PENDING;
    log().warn({ err: error, clicks: clicks.length, again }, "clicks could not be written");
    if (again) this.pending.unshift(...clicks);
  }
}

/** The buffer of this process. */
export function clickBuffer(): ClickBuffer {
  return singleton("clicks.buffer", () => new ClickBuffer(database));
}
