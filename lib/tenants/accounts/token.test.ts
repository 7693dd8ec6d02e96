import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { accountTokens } from "@/lib/platform/db/schema";
import { consumeToken, createAccountToken, findTokenHolder } from "@/lib/tenants/accounts/token";
import { later } from "@/lib/testing/clock";
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

test.each([
  ["verify", 24, -172_800_000],
  ["verify", 24, 172_800_000],
  ["reset", 1, -7_200_000],
  ["reset", 1, 7_200_000],
] as const)(
  "a link to %s works for %s hours of the database's clock, also in a process %s ms beside it",
  async (purpose, hours, beside) => {
    onTestFinished(() => void vi.useRealTimers());
    const userId = uuidv7();
    const send = () => createAccountToken(database(), purpose, { userId, email: `${uuidv7()}@example.com` });
    const found = async (token = "no link") => (await findTokenHolder(database(), purpose, token))?.userId;
    const wait = (seconds: number) =>
      database()
        .orm.update(accountTokens)
        .set({ expiresAt: later(accountTokens.expiresAt, -seconds) })
        .where(eq(accountTokens.userId, userId));
    const right = await send();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + beside });
    const wrong = await send();
    await wait(3_600 * hours - 60);
    expect([await found(right), await found(wrong)]).toEqual([userId, userId]);
    vi.useRealTimers();
    expect([await found(right), await found(wrong)]).toEqual([userId, userId]);
    await wait(60);
    expect([await found(right), await found(wrong)]).toEqual([undefined, undefined]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + beside });
    expect([await found(right), await found(wrong)]).toEqual([undefined, undefined]);
    await expect(consumeToken(database(), purpose, right ?? "")).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);
