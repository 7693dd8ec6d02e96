import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { readCounter } from "@/lib/platform/counters";
import { type Db, database } from "@/lib/platform/db/client";
import { rounds } from "@/lib/platform/db/schema";
import { useService } from "@/lib/testing/service";
import { runQueue } from "./queue";
import { type RunRound, roundQueue } from "./rounds";
import { LONGEST_S } from "./until-stored";

useService();

test("rounds are taken up to the number that is free, also by a plan for a table of one row", async () => {
  const { orm } = database();
  for (let app = 0; app < 3; app++) {
    await orm.insert(rounds).values({ appId: uuidv7(), name: "checks", dueAt: new Date(0) });
    if (app === 0) await orm.execute(sql`analyze rounds`);
  }
  const queue = roundQueue(database(), "apps", { checks: async () => 60 }, { concurrency: 1 });
  expect(await queue.take(1)).toHaveLength(1);
});

test("a round that never ends is stored as failed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const execute = vi.fn(async () => ({ rows: [] }));
  const changes: RunRound = () => new Promise(() => undefined);
  const db = { orm: { execute } } as unknown as Db;
  const { work } = roundQueue(db, "installation", { changes }, { concurrency: 1 });
  const working = work({ appId: "1", name: "changes", lease: "1", seenAt: null });
  await vi.advanceTimersByTimeAsync(1_000 * LONGEST_S);
  await working;
  expect(execute).toHaveBeenCalledOnce();
  expect(readCounter("round_failures").get("changes")).toBe(1);
});

test("a round that deletes rows for hours is not given up: a second run beside it would end early", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const execute = vi.fn(async () => ({ rows: [] }));
  const retention: RunRound = () =>
    new Promise((resolve) => setTimeout(() => resolve(60), 2_000 * LONGEST_S));
  const db = { orm: { execute } } as unknown as Db;
  const queue = roundQueue(db, "installation", { retention }, { concurrency: 1, pollMs: 60_000 });
  const givenUp = readCounter("work_given_up").get("");
  const taken = [{ appId: "1", name: "retention", lease: "1", seenAt: null }];
  const stop = runQueue({ ...queue, take: async () => taken.splice(0) });
  await vi.advanceTimersByTimeAsync(2_100 * LONGEST_S);
  await stop();
  expect(readCounter("round_failures").get("retention")).toBeUndefined();
  expect(readCounter("work_given_up").get("")).toBe(givenUp);
});
