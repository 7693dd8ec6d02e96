import { sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { rounds } from "@/lib/platform/db/schema";
import { useService } from "@/lib/testing/service";
import { roundQueue } from "./rounds";

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
