import { once } from "node:events";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { batches, codeRequests } from "@/lib/platform/db/schema";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { undoBatch } from "@/lib/program/codes/batch-state";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { type AppleTenant, createdCodes, makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { bundleForChild, startChild } from "@/lib/testing/processes/child";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { giveUpCodeRequest } from "./create";
import type { Checkpoint } from "./order";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

const posts = () => apple.received.filter((request) => request.startsWith("POST"));

/** Works on the request in a separate process that is killed at a checkpoint. */
async function dieAt({ ctx }: AppleTenant, id: string, point: Checkpoint): Promise<void> {
  const file = await bundleForChild("lib/testing/processes/code-request.ts");
  const child = startChild(file, [ctx.workspace.id, ctx.app.id, id, apple.url, point]);
  const [, signal] = await once(child.process, "exit");
  expect(signal).toBe("SIGKILL");
}

/** Seconds until another process may take a request. */
async function leaseSeconds(id: string): Promise<number> {
  const { rows } = await database().orm.execute<{ left: number }>(
    sql`select extract(epoch from leased_until - now())::float8 as left from code_requests where id = ${id}`,
  );
  return rows[0]?.left ?? Number.NaN;
}

/** Runs rounds of other processes, each after the lease and the sweep, until no request is open. */
async function recover({ ctx, work, pass, requests }: AppleTenant, minutes: number): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await pass(minutes);
    const old = sql`now() - interval '121 seconds'`;
    const half = eq(batches.state, "importing");
    await database().orm.update(batches).set({ createdAt: old }).where(half);
    await sweepImports(database());
    await Promise.all([
      workOff(codeRequestQueue(database(), work)),
      workOff(codeRequestQueue(database(), work)),
    ]);
    if ((await requests()).every(({ state }) => state !== "asked" && state !== "made")) return;
  }
  expect(ctx.app.id).toBe("every request ended");
}

// 6,000 codes are two chunks of the import: the kill in the middle leaves the first.
test.each<[Checkpoint, posts: number]>([
  ["before_post", 1],
  ["after_post", 1],
  ["before_import", 1],
  ["during_import", 1],
  ["after_import", 1],
])("killed at %s, the codes are created and imported once", async (point, expected) => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request(6_000);
  await dieAt(tenant, id, point);
  expect(await leaseSeconds(id)).toBeLessThan(10);
  await recover(tenant, 20);
  expect(posts()).toHaveLength(expected);
  expect(apple.books.batches).toHaveLength(1);
  expect(await tenant.requests()).toMatchObject([{ state: "imported", imported: 6_000, storeId: "batch1" }]);
  expect((await tenant.stored()).sort()).toEqual(createdCodes(apple).sort());
});

test("a fault of the service after the store created the codes loses nothing", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  const checkpoint = (point: Checkpoint) => {
    if (point === "after_post") throw new Error("the database is gone");
  };
  await advanceRequest(tenant.ctx, id, { ...tenant.work, checkpoint });
  expect(await tenant.requests()).toMatchObject([{ state: "asked", leasedUntil: null, storeId: null }]);
  await recover(tenant, 1);
  expect(posts()).toHaveLength(1);
  expect(await tenant.stored()).toHaveLength(20);
});

test("an import that a member undid before the request continued is not repeated", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  const checkpoint = (point: Checkpoint) => {
    if (point === "after_import") throw new Error("the database is gone");
  };
  await advanceRequest(tenant.ctx, id, { ...tenant.work, checkpoint });
  await undoBatch(tenant.ctx, (await tenant.requests())[0]?.batchId ?? "");
  await recover(tenant, 1);
  const trouble = "A member has undone the import of these codes.";
  expect(await tenant.requests()).toMatchObject([{ state: "imported", imported: 0, trouble }]);
  expect(await tenant.stored()).toEqual([]);
});

test("without a response, the order is not repeated before the settling time is over", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(tenant.ctx, id, tenant.work);
  for (const minutes of [0, 5, 5]) {
    await tenant.pass(minutes);
    await workOff(codeRequestQueue(database(), tenant.work));
  }
  expect(posts()).toHaveLength(1);
  expect(await tenant.requests()).toMatchObject([
    { state: "asked", trouble: expect.stringContaining("response was lost") },
  ]);
  await recover(tenant, 10);
  expect(posts()).toHaveLength(2);
  expect(apple.books.batches).toHaveLength(1);
  expect(await tenant.stored()).toHaveLength(20);
});

test.each([
  ["the response is lost", "lost" as const],
  ["the store fails after it created them", { status: 500 } as const],
])("where %s, the batch is found and not ordered again", async (_, how) => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  apple.faults.push({ at: /^POST/, how });
  if (how !== "lost") apple.books.add("offer1", 20, tenant.expiresOn);
  // An older batch of the same kind is known, so it cannot be the ordered batch.
  await advanceRequest(tenant.ctx, id, tenant.work);
  if (how !== "lost") apple.books.add("offer1", 20, tenant.expiresOn);
  await recover(tenant, 1);
  expect(posts()).toHaveLength(1);
  expect(await tenant.requests()).toMatchObject([{ state: "imported", imported: 20 }]);
  expect((await tenant.stored()).sort()).toEqual(apple.books.batches.at(-1)?.codes.sort());
});

test("an order whose response was lost is not ended by a refusal of the look-up, and is not repeated", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  apple.faults.push({ at: /^POST/, how: "lost" });
  await advanceRequest(tenant.ctx, id, tenant.work);
  for (const status of [404, 400]) {
    apple.faults.push({ at: /^GET .*oneTimeUseCodes/, how: { status } });
    await tenant.pass(10);
    await workOff(codeRequestQueue(database(), tenant.work));
    expect(await tenant.requests()).toMatchObject([{ state: "asked", postedAt: expect.any(Date) }]);
  }
  await recover(tenant, 1);
  expect(posts()).toHaveLength(1);
  expect(await tenant.requests()).toMatchObject([{ state: "imported", imported: 20 }]);
});

test("a batch of another amount, day or offer is not the ordered batch", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(tenant.ctx, id, tenant.work);
  apple.books.add("offer1", 21, tenant.expiresOn);
  apple.books.add("offer1", 20, "2030-01-01");
  apple.books.add("offer3", 20, tenant.expiresOn);
  apple.books.add("offer1", 20, tenant.expiresOn, "SANDBOX");
  await tenant.pass(1);
  await workOff(codeRequestQueue(database(), tenant.work));
  expect(await tenant.requests()).toMatchObject([{ state: "asked", storeId: null }]);
});

test("where several batches fit, a person decides, and no code is assigned", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  apple.faults.push({ at: /^POST/, how: "lost" });
  await advanceRequest(tenant.ctx, id, tenant.work);
  apple.books.add("offer1", 20, tenant.expiresOn);
  await recover(tenant, 1);
  expect(await tenant.requests()).toMatchObject([
    { state: "unclear", trouble: expect.stringContaining("several new batches") },
  ]);
  expect([await tenant.stored(), posts().length]).toEqual([[], 1]);
  await giveUpCodeRequest(tenant.ctx, id);
});

test("two identical requests without a response get a batch each", async () => {
  const tenant = await makeAppleTenant(apple);
  const ids = [await tenant.request(), await tenant.request()];
  apple.faults.push({ at: /^POST/, how: "lost" });
  for (const id of ids) await advanceRequest(tenant.ctx, id, tenant.work);
  await recover(tenant, 1);
  expect((await tenant.requests()).map(({ state }) => state)).toEqual(["imported", "imported"]);
  expect(apple.books.batches).toHaveLength(2);
  expect((await tenant.stored()).sort()).toEqual(createdCodes(apple).sort());
});

test("a batch that another request took stays with that request", async () => {
  const tenant = await makeAppleTenant(apple);
  const ids = [await tenant.request(), await tenant.request()];
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(tenant.ctx, ids[0] ?? "", tenant.work);
  await tenant.pass(1);
  // Between the second request's batch and the storing of its id, the first request finds the batch.
  const { connect } = tenant.work;
  const slow = {
    ...tenant.work,
    connect: async (ctx: typeof tenant.ctx) => {
      const store = await connect(ctx);
      return {
        ...store,
        createBatch: async (...args: Parameters<typeof store.createBatch>) => {
          const batch = await store.createBatch(...args);
          await advanceRequest(tenant.ctx, ids[0] ?? "", tenant.work);
          return batch;
        },
      };
    },
  };
  await advanceRequest(tenant.ctx, ids[1] ?? "", slow);
  expect(await tenant.requests()).toMatchObject([
    { state: "imported", storeId: "batch1" },
    { state: "asked", storeId: null },
  ]);
  await recover(tenant, 20);
  expect(apple.books.batches).toHaveLength(2);
  expect((await tenant.stored()).sort()).toEqual(createdCodes(apple).sort());
});

test("a worker that lost its lease writes nothing", async () => {
  const tenant = await makeAppleTenant(apple);
  const id = await tenant.request();
  const other = { lease: crypto.randomUUID(), state: "given_up" } as const;
  await advanceRequest(tenant.ctx, id, {
    ...tenant.work,
    checkpoint: (point) => {
      if (point === "before_post") apple.faults.push({ at: /^POST/, how: { status: 409 } });
    },
    connect: async (ctx) => {
      await database().orm.update(codeRequests).set(other).where(eq(codeRequests.id, id));
      return tenant.work.connect(ctx);
    },
  });
  expect(await tenant.requests()).toMatchObject([{ state: "given_up", trouble: null }]);
  expect(posts()).toEqual([]);
});
