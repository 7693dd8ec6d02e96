import { once } from "node:events";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepImports } from "@/lib/codes/sweep-imports";
import { database } from "@/lib/db/client";
import { batches, codeRequests } from "@/lib/db/schema";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store-connect";
import { appleRoom, madeCodes } from "@/lib/testing/apple-room";
import { bundle, startChild } from "@/lib/testing/child";
import { useService } from "@/lib/testing/service";
import { advanceRequest } from "./advance";
import { giveUpRequest } from "./give-up";
import type { Point } from "./means";
import { runDueRequests } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

type Room = Awaited<ReturnType<typeof appleRoom>>;

const posts = () => apple.asked.filter((one) => one.startsWith("POST"));

/** A process of its own works on the request and is killed at a point. */
async function dieAt({ ctx }: Room, id: string, point: Point): Promise<void> {
  const file = await bundle("lib/testing/request-child.ts");
  const child = startChild(file, [ctx.workspace.id, ctx.app.id, id, apple.url, point]);
  const [, signal] = await once(child.process, "exit");
  expect(signal).toBe("SIGKILL");
}

/** Rounds of other processes, each after the lease and the sweep, until nothing is open. */
async function recover({ ctx, means, pass, requests }: Room, minutes: number): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await pass(minutes);
    const old = sql`now() - interval '121 seconds'`;
    const half = eq(batches.state, "importing");
    await database().orm.update(batches).set({ createdAt: old }).where(half);
    await sweepImports(database());
    await Promise.all([runDueRequests(database(), means), runDueRequests(database(), means)]);
    if ((await requests()).every(({ state }) => state !== "asked" && state !== "made")) return;
  }
  expect(ctx.app.id).toBe("every request ended");
}

// 6,000 codes are two pieces of the import: the kill in the middle leaves one of them.
test.each<[Point, posts: number]>([
  ["before_post", 1],
  ["after_post", 1],
  ["before_import", 1],
  ["during_import", 1],
  ["after_import", 1],
])("killed at %s, the codes are made and imported once", async (point, expected) => {
  const room = await appleRoom(apple);
  const id = await room.ask(6_000);
  await dieAt(room, id, point);
  await recover(room, 20);
  expect(posts()).toHaveLength(expected);
  expect(apple.books.batches).toHaveLength(1);
  expect(await room.requests()).toMatchObject([{ state: "imported", imported: 6_000, storeId: "batch1" }]);
  expect((await room.stored()).sort()).toEqual(madeCodes(apple).sort());
});

test("a fault of our own after the store has made them is no loss either", async () => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  const at = (point: Point) => {
    if (point === "after_post") throw new Error("the database is gone");
  };
  await advanceRequest(room.ctx, id, { ...room.means, at });
  expect(await room.requests()).toMatchObject([{ state: "asked", leasedUntil: null, storeId: null }]);
  await recover(room, 1);
  expect(posts()).toHaveLength(1);
  expect(await room.stored()).toHaveLength(20);
});

test("while the store's answer is missing nobody asks again before the time is over", async () => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(room.ctx, id, room.means);
  for (const minutes of [0, 5, 5]) {
    await room.pass(minutes);
    await runDueRequests(database(), room.means);
  }
  expect(posts()).toHaveLength(1);
  expect(await room.requests()).toMatchObject([
    { state: "asked", trouble: expect.stringContaining("answer was lost") },
  ]);
  await recover(room, 10);
  expect(posts()).toHaveLength(2);
  expect(apple.books.batches).toHaveLength(1);
  expect(await room.stored()).toHaveLength(20);
});

test.each([
  ["the answer is lost", "lost" as const],
  ["the store has a fault after it made them", { status: 500 } as const],
])("where %s the batch is found and not asked for again", async (_, how) => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  apple.faults.push({ at: /^POST/, how });
  if (how !== "lost") apple.books.add("offer1", 20, room.expiresOn);
  // An older batch of the same kind is known and is not taken for the answer.
  await advanceRequest(room.ctx, id, room.means);
  if (how !== "lost") apple.books.add("offer1", 20, room.expiresOn);
  await recover(room, 1);
  expect(posts()).toHaveLength(1);
  expect(await room.requests()).toMatchObject([{ state: "imported", imported: 20 }]);
  expect((await room.stored()).sort()).toEqual(apple.books.batches.at(-1)?.codes.sort());
});

test("a batch of another number, day or offer is not taken for the answer", async () => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(room.ctx, id, room.means);
  apple.books.add("offer1", 21, room.expiresOn);
  apple.books.add("offer1", 20, "2030-01-01");
  apple.books.add("offer3", 20, room.expiresOn);
  apple.books.add("offer1", 20, room.expiresOn, "SANDBOX");
  await room.pass(1);
  await runDueRequests(database(), room.means);
  expect(await room.requests()).toMatchObject([{ state: "asked", storeId: null }]);
});

test("where several batches could be the answer a person decides, and none is given away", async () => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  apple.faults.push({ at: /^POST/, how: "lost" });
  await advanceRequest(room.ctx, id, room.means);
  apple.books.add("offer1", 20, room.expiresOn);
  await recover(room, 1);
  expect(await room.requests()).toMatchObject([
    { state: "unclear", trouble: expect.stringContaining("several new batches") },
  ]);
  expect([await room.stored(), posts().length]).toEqual([[], 1]);
  await giveUpRequest(room.ctx, id);
});

test("two requests alike that lose their answers get a batch each", async () => {
  const room = await appleRoom(apple);
  const ids = [await room.ask(), await room.ask()];
  apple.faults.push({ at: /^POST/, how: "lost" });
  for (const id of ids) await advanceRequest(room.ctx, id, room.means);
  await recover(room, 1);
  expect((await room.requests()).map(({ state }) => state)).toEqual(["imported", "imported"]);
  expect(apple.books.batches).toHaveLength(2);
  expect((await room.stored()).sort()).toEqual(madeCodes(apple).sort());
});

test("a batch that another request took for its own is left to it", async () => {
  const room = await appleRoom(apple);
  const ids = [await room.ask(), await room.ask()];
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(room.ctx, ids[0] ?? "", room.means);
  await room.pass(1);
  // Between the second one's batch and its id the first one looks, and finds it.
  const { open } = room.means;
  const slow = {
    ...room.means,
    open: async (ctx: typeof room.ctx) => {
      const maker = await open(ctx);
      return {
        ...maker,
        makeBatch: async (...args: Parameters<typeof maker.makeBatch>) => {
          const made = await maker.makeBatch(...args);
          await advanceRequest(room.ctx, ids[0] ?? "", room.means);
          return made;
        },
      };
    },
  };
  await advanceRequest(room.ctx, ids[1] ?? "", slow);
  expect(await room.requests()).toMatchObject([
    { state: "imported", storeId: "batch1" },
    { state: "asked", storeId: null },
  ]);
  await recover(room, 20);
  expect(apple.books.batches).toHaveLength(2);
  expect((await room.stored()).sort()).toEqual(madeCodes(apple).sort());
});

test("whoever was overtaken writes nothing more down", async () => {
  const room = await appleRoom(apple);
  const id = await room.ask();
  const other = { lease: crypto.randomUUID(), state: "given_up" } as const;
  await advanceRequest(room.ctx, id, {
    ...room.means,
    at: (point) => {
      if (point === "before_post") apple.faults.push({ at: /^POST/, how: { status: 409 } });
    },
    open: async (ctx) => {
      await database().orm.update(codeRequests).set(other).where(eq(codeRequests.id, id));
      return room.means.open(ctx);
    },
  });
  expect(await room.requests()).toMatchObject([{ state: "given_up", trouble: null }]);
  expect(posts()).toEqual([]);
});
