import { expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { takeDatabaseAway } from "@/lib/testing/database/outage";
import { allRowsDone, insertRows, ROWS_LEASE_S, runRows, useQueueRows } from "@/lib/testing/queue-rows";
import { useService } from "@/lib/testing/service";

useService();
useQueueRows();

test("work that takes longer than its lease is done once, because its process extends the lease", async () => {
  await insertRows(1);
  const leaseEnd = async () => {
    const { rows } = await database().pool.query("select due_at from queue_rows");
    return (rows[0].due_at as Date).getTime();
  };
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worked = [runRows({ work: () => held }), runRows({ work: () => held })];
  await vi.waitFor(() => expect(worked.flat()).toHaveLength(1), { timeout: 60_000 });
  const first = await leaseEnd();
  await vi.waitFor(async () => expect(await leaseEnd()).toBeGreaterThan(first + 2_000 * ROWS_LEASE_S), {
    timeout: 60_000,
  });
  release();
  await allRowsDone();
  expect(worked.flat()).toEqual([1]);
});

test("an outage that outlasts the leases repeats no work of the process that holds them", async () => {
  await insertRows(1);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const worked = runRows({ work: () => held });
  await vi.waitFor(() => expect(worked).toHaveLength(1), { timeout: 60_000 });
  const giveBack = await takeDatabaseAway();
  const start = Date.now();
  await vi.waitFor(() => expect(Date.now() - start).toBeGreaterThan(1_500 * ROWS_LEASE_S), {
    timeout: 60_000,
  });
  await giveBack();
  await database().pool.query("insert into queue_rows values (2)");
  await vi.waitFor(() => expect(worked).toContain(2), { timeout: 60_000 });
  release();
  await allRowsDone();
  expect(worked).toEqual([1, 2]);
});
