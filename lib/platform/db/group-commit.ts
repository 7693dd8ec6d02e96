import { mayRunAgain, WaitTimeoutError } from "@/lib/platform/db/outage";
import { env } from "@/lib/platform/env";

/** The statements that a group commit runs. */
interface GroupRules<Item, Result> {
  /** Runs one item in its own statement. */
  runAlone(item: Item): Promise<Result>;
  /**
   * Runs several items in one statement, results in their order; undefined for an item that must run alone instead.
   */
  runTogether(items: readonly Item[]): Promise<readonly (Result | undefined)[]>;
  /** Keys that no two running items may share. The items of a statement are in the order of their first keys. */
  conflictKeys(item: Item): readonly [string, ...string[]];
  /** Called when no item waits or runs. */
  onEmpty(): void;
  /** Maximum items of one statement, if not {@link MAX_GROUP}. */
  most?: number;
  /** Whether statements of these items would wait for each other, so that only one runs at a time. */
  serial?(): boolean;
  /** Whether an error of a statement fails all its items, because they may be too many to run alone at once. */
  failsForAll?: boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  conflictKeys: readonly [string, ...string[]];
  since: number;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Statements that run at once. While one waits for the disk, the other works. */
const SLOTS = 2;

/** Maximum items of one statement: the first of them waits for all. */
const MAX_GROUP = 16;

/**
 * Lets items share a statement and its commit. An item that finds a free slot runs at once and alone. All others wait
 * for the next free slot and run together. There is no timer: no item waits for others to arrive.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private slotsInUse = 0;
  /** Conflict keys of the running items. */
  private readonly running = new Set<string>();

  constructor(private readonly rules: GroupRules<Item, Result>) {}

  run(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const conflictKeys = this.rules.conflictKeys(item);
      this.waiting.push({ item, conflictKeys, since: performance.now(), resolve, reject });
      this.fillSlots();
    });
  }

  private fillSlots(): void {
    while (this.slotsInUse < (this.rules.serial?.() ? 1 : SLOTS)) {
      const group = this.takeGroup();
      if (group.length === 0) break;
      this.slotsInUse += 1;
      void this.runGroup(group).finally(() => {
        this.slotsInUse -= 1;
        for (const { conflictKeys } of group) for (const key of conflictKeys) this.running.delete(key);
        this.fillSlots();
      });
    }
    if (this.slotsInUse === 0) this.rules.onEmpty();
  }

  /** Takes the items of the next statement. An item that shares a key with an earlier or a running one keeps waiting. */
  private takeGroup(): Waiting<Item, Result>[] {
    // The database is too slow for these items, as for a caller that waits too long for a connection.
    const overdue = performance.now() - env().DATABASE_WAIT_MS;
    const group: Waiting<Item, Result>[] = [];
    this.waiting = this.waiting.filter((entry) => {
      if (entry.since < overdue) {
        entry.reject(new WaitTimeoutError());
        return false;
      }
      if (
        group.length === (this.rules.most ?? MAX_GROUP) ||
        entry.conflictKeys.some((key) => this.running.has(key))
      )
        return true;
      for (const key of entry.conflictKeys) this.running.add(key);
      group.push(entry);
      return false;
    });
    return group.sort((a, b) => (a.conflictKeys[0] < b.conflictKeys[0] ? -1 : 1));
  }

  private async runGroup(group: Waiting<Item, Result>[]): Promise<void> {
    const [first, second] = group;
    if (first && !second) {
      const result = this.rules.runAlone(first.item);
      first.resolve(result);
      await result.catch(() => undefined);
      return;
    }
    try {
      const results = await this.rules.runTogether(group.map(({ item }) => item));
      group.forEach((entry, index) => {
        entry.resolve(results[index] ?? this.rules.runAlone(entry.item));
      });
    } catch (error) {
      for (const entry of group) {
        if (!this.rules.failsForAll && mayRunAgain(error)) entry.resolve(this.rules.runAlone(entry.item));
        else entry.reject(error);
      }
    }
  }
}
