import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { getAccount } from "@/lib/tenants/account-settings/get-account";
import { listAccountEvents } from "@/lib/tenants/accounts/events";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { connectOAuth } from "@/lib/tenants/oauth/connect";
import { signInWithOAuth } from "@/lib/tenants/oauth/sign-in";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/tenants/two-factor/disable";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { emailedToken, emailsTo, expireLinks, nextAddress, signedUpUser } from "@/lib/testing/accounts";
import { useClock } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { shownPassword, twoFactorUser } from "@/lib/testing/two-factor";

useService({ AUTH_SECRET: "s".repeat(32) });
const advance = useClock();

const password = "correct horse";

describe("a forgotten password", () => {
  test("is replaced by a link that works once, and every session ends", async () => {
    const owner = await signedUpUser();
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    advance(600);
    await requestPasswordReset(database(), owner);
    const other = await emailedToken(owner.email, "reset");
    const change = { token, password: "a new password", address: owner.address };
    await resetPassword(database(), change);
    expect(await findSignedInUser(database(), owner.session)).toBeUndefined();
    await expect(signInWithPassword(database(), owner)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await signInWithPassword(database(), { ...owner, ...change })).toHaveProperty("signedIn");
    for (const dead of [token, other]) {
      const again = resetPassword(database(), { ...change, token: dead });
      await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await emailsTo(owner.email)).at(-1)?.subject).toBe("Your password was changed");
  });

  test("accepts no link that has expired, was made up, or was sent to a former address of the account", async () => {
    const owner = await signedUpUser();
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    const change = { token, password: "a new password", address: owner.address };
    await expect(resetPassword(database(), { ...change, token: "" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const named = (id: string, email: string) =>
      database().orm.update(users).set({ email }).where(eq(users.id, id));
    await named(owner.session.id, `new-${owner.email}`);
    // The address is another account's now.
    const next = await signedUpUser();
    await named(next.session.id, owner.email);
    await expect(resetPassword(database(), change)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await named(next.session.id, next.email);
    await named(owner.session.id, owner.email);
    await expireLinks(owner.email);
    await expect(resetPassword(database(), change)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await signInWithPassword(database(), owner)).toHaveProperty("signedIn");
  });

  test("is not replaced by one that is easy to guess, and the link still works", async () => {
    const owner = await signedUpUser();
    await requestPasswordReset(database(), owner);
    const change = { token: await emailedToken(owner.email, "reset"), address: owner.address };
    for (const weak of ["1234567890", owner.email]) {
      const refused = resetPassword(database(), { ...change, password: weak });
      await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "password" });
    }
    expect(await resetPassword(database(), { ...change, password })).toHaveProperty("signedIn");
  });

  test("is replaced and disconnects every service, because a thief may have connected theirs", async () => {
    const owner = await signedUpUser();
    const { address } = owner;
    const thief = { provider: "google", providerAccountId: owner.email, address } as const;
    await connectOAuth(database(), owner.session, thief);
    const own = { provider: "github", providerAccountId: owner.email, address } as const;
    await connectOAuth(database(), owner.session, own);
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    await resetPassword(database(), { token, password: "a new password", address });
    const theirs = signInWithOAuth(database(), { ...thief, name: "T", email: null });
    await expect(theirs).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await getAccount(database(), owner.session.id)).connected).toEqual([]);
    expect((await emailsTo(owner.email)).at(-1)?.text).toContain("No longer connected: GitHub and Google.");
    const events = await listAccountEvents(database(), owner.session.id);
    expect(events.filter(({ action }) => action === "oauth.disconnected")).toHaveLength(2);
    // The owner's service has verified the account's address and is connected again as it signs in.
    const back = await signInWithOAuth(database(), { ...own, name: "Ann", email: owner.email });
    expect(back).toMatchObject({ signedIn: { id: owner.session.id } });
  });

  test("is replaced although a thief is connecting a service at that moment, which is then refused", async () => {
    const owner = await signedUpUser();
    const { address } = owner;
    const thief = { provider: "google", providerAccountId: `thief of ${owner.email}`, address } as const;
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    let connecting: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await resetPassword(tx, { token, password: "a new password", address });
      connecting = connectOAuth(database(), owner.session, thief).catch(
        (error: { code: string }) => error.code,
      );
      await blockedBackends();
    });
    expect(await connecting).toBe("UNAUTHORIZED");
    expect((await getAccount(database(), owner.session.id)).connected).toEqual([]);
  });

  test("is replaced although a thief is turning on a second factor at that moment, which is then refused", async () => {
    const owner = await signedUpUser();
    const { address } = owner;
    const { id } = owner.session;
    const { secret } = await startTwoFactorSetup(database(), id, owner);
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    let enabling: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await resetPassword(tx, { token, password: "a new password", address });
      enabling = enableTwoFactor(database(), id, { address, code: shownPassword(secret) }).catch(
        (error: { code: string }) => error.code,
      );
      await blockedBackends();
    });
    expect(await enabling).toBe("CONFLICT");
    const owned = { ...owner, password: "a new password" };
    expect(await signInWithPassword(database(), owned)).toHaveProperty("signedIn");
  });

  test.each([
    ["turned off", disableTwoFactor],
    ["given new recovery codes", renewRecoveryCodes],
  ] as const)("is replaced, and the second factor is not %s by a thief with the old one", async (_, act) => {
    const owner = await twoFactorUser(advance);
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    let acting: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await resetPassword(tx, { token, password: "a new password", address: owner.address });
      acting = act(database(), owner.id, { ...owner, code: owner.codes[1] ?? "" }).catch(
        (error: { code: string }) => error.code,
      );
      await blockedBackends();
    });
    expect(await acting).toBe("UNAUTHORIZED");
    expect(await signInWithPassword(database(), { ...owner, password: "a new password" })).toHaveProperty(
      "needsCode",
    );
  });

  test("is changed, which drops an authenticator that was set up but not turned on", async () => {
    const owner = await signedUpUser();
    const { id } = owner.session;
    const { secret } = await startTwoFactorSetup(database(), id, owner);
    await updatePassword(database(), id, { ...owner, newPassword: "a new password" });
    const enabling = enableTwoFactor(database(), id, { ...owner, code: shownPassword(secret) });
    await expect(enabling).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("is replaced without getting past the second factor", async () => {
    const owner = await twoFactorUser(advance);
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    const step = await resetPassword(database(), {
      token,
      password: "a newer password",
      address: owner.address,
    });
    expect(step).toEqual({ needsCode: { id: owner.id, sessionVersion: owner.session.sessionVersion + 1 } });
  });

  test("says the same, after the same work, to an address without an account", async () => {
    const owner = await signedUpUser();
    const email = `${uuidv7()}@example.com`;
    const known = await statementsOf(() => requestPasswordReset(database(), owner));
    const unknown = await statementsOf(() => requestPasswordReset(database(), { ...owner, email }));
    expect(unknown).toEqual(known);
    const [message] = await emailsTo(email);
    expect(message).toMatchObject({ subject: "No account with this address" });
    expect(message?.text).not.toContain("/reset/");
  });

  test("can be requested 60 times an hour from one address, with or without an account", async () => {
    const owner = await signedUpUser();
    for (const email of [owner.email, `${uuidv7()}@example.com`]) {
      const address = nextAddress();
      for (let time = 0; time < 60; time++) await requestPasswordReset(database(), { email, address });
      const refused = requestPasswordReset(database(), { email, address });
      await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED" });
    }
  });

  test("of an account without one is set in the same way", async () => {
    const { id, email } = { id: uuidv7(), email: `${uuidv7()}@example.com` };
    await database().orm.insert(users).values({ id, email, name: "Ann", emailVerifiedAt: new Date() });
    const address = nextAddress();
    await expect(signInWithPassword(database(), { email, password: "", address })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await requestPasswordReset(database(), { email, address });
    await resetPassword(database(), { token: await emailedToken(email, "reset"), password, address });
    expect(await signInWithPassword(database(), { email, password, address })).toMatchObject({
      signedIn: { id },
    });
  });
});
