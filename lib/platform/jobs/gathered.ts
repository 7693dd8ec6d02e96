import { mayRunAgain } from "@/lib/platform/db/outage";

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/**
 * Gathers items for a few milliseconds, so that they share a statement. If an item makes the statement fail, each is
 * stored in its own statement.
 */
export class Gathered<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];

  constructor(
    private readonly ms: number,
    /** Returns the results in the order of the items. Either all of them are stored or none. */
    private readonly store: (items: Item[]) => Promise<Result[]>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length === 1) setTimeout(() => void this.flush(), this.ms);
    });
  }

  private async flush(): Promise<void> {
    const group = this.waiting.splice(0);
    try {
      const results = await this.store(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("The statement returned no result for an item"));
        else resolve(result);
      }
    } catch (error) {
      const alone = group.length > 1 && mayRunAgain(error);
      for (const { item, resolve, reject } of group) {
        if (alone) resolve(this.storeAlone(item));
        else reject(error);
      }
    }
  }

  private async storeAlone(item: Item): Promise<Result> {
    const [result] = await this.store([item]);
    if (result === undefined) throw new Error("The statement returned no result for an item");
    return result;
  }
}
