import { expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { verifyEmail } from "@/lib/tenants/sign-up/verify-email";
import { emailedToken, newUser, nextAddress } from "@/lib/testing/accounts";
import { useClock } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";

const between = vi.hoisted(() => ({ work: async () => undefined as unknown }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = async (...words) => {
    const right = await real.verify(...words);
    await between.work();
    return right;
  };
  return { ...real, verify };
});

useService({ AUTH_SECRET: "s".repeat(32) });
const advance = useClock();

test("another link to the same account opens nothing once it is confirmed", async () => {
  const input = newUser();
  await signUp(database(), input);
  const first = await emailedToken(input.email, "verify");
  advance(600);
  await signUp(database(), input);
  const session = await verifyEmail(database(), {
    ...input,
    token: await emailedToken(input.email, "verify"),
  });
  const again = verifyEmail(database(), { ...input, token: first });
  await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await findSignedInUser(database(), session))?.workspaces).toHaveLength(1);
});

test("a stranger who signs up while the owner confirms gets nothing", async () => {
  const owner = newUser();
  const thief = { ...owner, password: "the thief's own", address: nextAddress() };
  await signUp(database(), owner);
  const token = await emailedToken(owner.email, "verify");
  between.work = async () => {
    between.work = async () => undefined;
    await signUp(database(), thief);
  };
  await expect(verifyEmail(database(), { ...owner, token })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(signInWithPassword(database(), thief)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a stranger who signs up between the comparison of the passwords and the confirmation gets nothing", async () => {
  const owner = newUser();
  const thief = { ...owner, password: "the thief's own", address: nextAddress() };
  await signUp(database(), owner);
  const token = await emailedToken(owner.email, "verify");
  let confirming: Promise<unknown> = Promise.resolve();
  await database().transaction(async (tx) => {
    await signUp(tx, thief);
    confirming = verifyEmail(database(), { ...owner, token }).catch((error: unknown) => error);
    // The owner's confirmation waits for the thief's row, which is committed now.
    await blockedBackends();
  });
  expect(await confirming).toMatchObject({ code: "NOT_FOUND" });
  await expect(signInWithPassword(database(), thief)).rejects.toMatchObject({ code: "FORBIDDEN" });
});
