import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { issueToken, peekToken, useToken } from "@/lib/accounts/token";
import { database } from "@/lib/db/client";
import { useService } from "@/lib/testing/service";

useService();

test("a link is looked at as often as one likes and used once, however many use it at once", async () => {
  const holder = { userId: uuidv7(), email: "ann@example.com" };
  const token = await issueToken(database(), "reset", holder);
  for (let time = 0; time < 3; time++) expect(await peekToken(database(), "reset", token)).toEqual(holder);
  const uses = await Promise.allSettled([1, 2, 3].map(() => useToken(database(), "reset", token)));
  expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await peekToken(database(), "reset", token)).toBeUndefined();
});
