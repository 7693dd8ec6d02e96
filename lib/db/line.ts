import { isOutage, neverRan, sqlState } from "@/lib/db/outage";

/** What a line does with the items that stand in it. */
interface LineRules<Item, Result> {
  /** One item in a statement of its own. */
  alone(item: Item): Promise<Result>;
  /** Several in one statement, results in their order; undefined for an item that has to go alone after all. */
  together(items: readonly Item[]): Promise<readonly (Result | undefined)[]>;
  /** What no two items under way may share. Those of a statement are in the order of their first marks. */
  marks(item: Item): readonly [string, ...string[]];
  /** Nobody is left. */
  emptied(): void;
}

interface Waiting<Item, Result> {
  item: Item;
  marks: readonly [string, ...string[]];
  since: number;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** Statements under way at once. While one waits for the disk, the other works. */
const LANES = 2;

/** Items of one statement at most: whoever comes first waits for all of them. */
const MOST = 16;

/** Milliseconds in the line after which a caller is told that the database is too slow, as by the pool. */
export const PATIENCE_MS = 2_000;

/** States in which everything is undone and a single item may be to blame: a deadlock, a lock, a slow statement. */
const ONE_TO_BLAME = /^(40001|40P01|55P03|57014)$/;

/**
 * Lets items share a statement and its commit. Whoever comes while a lane is free goes at once and alone; who comes
 * while none is waits for the first to be free, and goes together with the others who do. Nobody waits for company.
 */
export class Line<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;
  /** Marks of those under way. */
  private readonly taken = new Set<string>();

  constructor(private readonly rules: LineRules<Item, Result>) {}

  ask(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, marks: this.rules.marks(item), since: Date.now(), resolve, reject });
      this.go();
    });
  }

  private go(): void {
    while (this.underWay < LANES) {
      const group = this.next();
      if (group.length === 0) break;
      this.underWay += 1;
      void this.send(group).finally(() => {
        this.underWay -= 1;
        for (const { marks } of group) for (const mark of marks) this.taken.delete(mark);
        this.go();
      });
    }
    if (this.underWay === 0) this.rules.emptied();
  }

  /** Takes from the line who goes next. Who shares a mark with somebody ahead or under way stays for another turn. */
  private next(): Waiting<Item, Result>[] {
    const overdue = Date.now() - PATIENCE_MS;
    const group: Waiting<Item, Result>[] = [];
    this.waiting = this.waiting.filter((one) => {
      if (one.since < overdue) {
        one.reject(new Error("waited too long in a line for the database"));
        return false;
      }
      if (group.length === MOST || one.marks.some((mark) => this.taken.has(mark))) return true;
      for (const mark of one.marks) this.taken.add(mark);
      group.push(one);
      return false;
    });
    return group.sort((a, b) => (a.marks[0] < b.marks[0] ? -1 : 1));
  }

  private async send(group: Waiting<Item, Result>[]): Promise<void> {
    const [only, another] = group;
    if (only && !another) {
      const result = this.rules.alone(only.item);
      only.resolve(result);
      await result.catch(() => undefined);
      return;
    }
    try {
      const results = await this.rules.together(group.map(({ item }) => item));
      group.forEach((one, index) => {
        one.resolve(results[index] ?? this.rules.alone(one.item));
      });
    } catch (error) {
      for (const one of group) {
        if (mayGoAgain(error)) one.resolve(this.rules.alone(one.item));
        else one.reject(error);
      }
    }
  }
}

/** The statement has surely changed nothing, and the server works. */
function mayGoAgain(error: unknown): boolean {
  return neverRan(error) && (!isOutage(error) || ONE_TO_BLAME.test(sqlState(error) ?? ""));
}
