import { expect, test, vi } from "vitest";
import { findPerson } from "@/lib/accounts/find-person";
import { signIn } from "@/lib/accounts/sign-in";
import { signUp } from "@/lib/accounts/sign-up";
import { verifyEmail } from "@/lib/accounts/verify-email";
import { database } from "@/lib/db/client";
import { linkOf, newcomer, nextAddress } from "@/lib/testing/newcomer";
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

test("another link to the same account opens nothing once it is confirmed", async () => {
  const input = newcomer();
  await signUp(database(), input);
  const first = await linkOf(input.email, "verify");
  await signUp(database(), input);
  const session = await verifyEmail(database(), { ...input, token: await linkOf(input.email, "verify") });
  const again = verifyEmail(database(), { ...input, token: first });
  await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await findPerson(database(), session))?.workspaces).toHaveLength(1);
});

test("a stranger who signs up while the owner confirms gets nothing", async () => {
  const owner = newcomer();
  const thief = { ...owner, password: "the thief's own", address: nextAddress() };
  await signUp(database(), owner);
  const token = await linkOf(owner.email, "verify");
  between.work = async () => {
    between.work = async () => undefined;
    await signUp(database(), thief);
  };
  await expect(verifyEmail(database(), { ...owner, token })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(signIn(database(), thief)).rejects.toMatchObject({ code: "FORBIDDEN" });
});
