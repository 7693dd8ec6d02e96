import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { findPerson } from "@/lib/accounts/find-person";
import { requestReset } from "@/lib/accounts/request-reset";
import { resetPassword } from "@/lib/accounts/reset-password";
import { signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { arrived, expireLinks, lettersTo, linkOf, nextAddress } from "@/lib/testing/newcomer";
import { useService } from "@/lib/testing/service";
import { statementsOf } from "@/lib/testing/statements";

useService({ AUTH_SECRET: "s".repeat(32) });

const password = "correct horse";

describe("a forgotten password", () => {
  test("is replaced by a link that works once, and every session ends", async () => {
    const owner = await arrived();
    await requestReset(database(), owner);
    const token = await linkOf(owner.email, "reset");
    await requestReset(database(), owner);
    const other = await linkOf(owner.email, "reset");
    const change = { token, password: "a new password", address: owner.address };
    await resetPassword(database(), change);
    expect(await findPerson(database(), owner.session)).toBeUndefined();
    await expect(signIn(database(), owner)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await signIn(database(), { ...owner, ...change })).toHaveProperty("signedIn");
    for (const dead of [token, other]) {
      const again = resetPassword(database(), { ...change, token: dead });
      await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await lettersTo(owner.email)).at(-1)?.subject).toBe("Your password was changed");
  });

  test("takes no link that has expired, was made up, or was sent to an address that is no longer the account's", async () => {
    const owner = await arrived();
    await requestReset(database(), owner);
    const token = await linkOf(owner.email, "reset");
    const change = { token, password: "a new password", address: owner.address };
    await expect(resetPassword(database(), { ...change, token: "" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await database()
      .orm.update(users)
      .set({ email: `new-${owner.email}` })
      .where(eq(users.email, owner.email));
    await expect(resetPassword(database(), change)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await database().orm.update(users).set({ email: owner.email }).where(eq(users.id, owner.session.id));
    await expireLinks(owner.email);
    await expect(resetPassword(database(), change)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await signIn(database(), owner)).toHaveProperty("signedIn");
  });

  test("says the same, after the same work, to an address without an account", async () => {
    const owner = await arrived();
    const email = `${uuidv7()}@example.com`;
    const known = await statementsOf(() => requestReset(database(), owner));
    const unknown = await statementsOf(() => requestReset(database(), { ...owner, email }));
    expect(unknown).toEqual(known);
    const [letter] = await lettersTo(email);
    expect(letter).toMatchObject({ subject: "No account with this address" });
    expect(letter?.text).not.toContain("/reset/");
  });

  test("is asked for 5 times an hour, with an account or without", async () => {
    const owner = await arrived();
    const address = nextAddress();
    for (const email of [owner.email, `${uuidv7()}@example.com`]) {
      for (let time = 0; time < 5; time++) await requestReset(database(), { email, address });
      const refused = requestReset(database(), { email, address });
      await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED" });
    }
  });

  test("that was set by nobody yet is set in the same way", async () => {
    const { id, email } = { id: uuidv7(), email: `${uuidv7()}@example.com` };
    await database().orm.insert(users).values({ id, email, name: "Ann", emailVerifiedAt: new Date() });
    const address = nextAddress();
    await expect(signIn(database(), { email, password: "", address })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await requestReset(database(), { email, address });
    await resetPassword(database(), { token: await linkOf(email, "reset"), password, address });
    expect(await signIn(database(), { email, password, address })).toMatchObject({ signedIn: { id } });
  });
});
