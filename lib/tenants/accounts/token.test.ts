import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { consumeToken, createAccountToken, findTokenHolder } from "@/lib/tenants/accounts/token";
import { useService } from "@/lib/testing/service";

useService();

test("a link can be read any number of times and used once, even by many callers at once", async () => {
  const holder = { userId: uuidv7(), email: "ann@example.com" };
  const token = (await createAccountToken(database(), "reset", holder)) ?? "no link";
  for (let time = 0; time < 3; time++)
    expect(await findTokenHolder(database(), "reset", token)).toEqual(holder);
  const uses = await Promise.allSettled([1, 2, 3].map(() => consumeToken(database(), "reset", token)));
  expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await findTokenHolder(database(), "reset", token)).toBeUndefined();
});
