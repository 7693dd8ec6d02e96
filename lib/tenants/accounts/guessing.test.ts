import { eq } from "drizzle-orm";
import pLimit from "p-limit";
import { uuidv7 } from "uuidv7";
import { describe, expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { CODE_GUESSES, PASSWORD_GUESSES } from "@/lib/platform/limits/attempts";
import { forgetSingleton } from "@/lib/platform/singleton";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { listAccountEvents } from "@/lib/tenants/accounts/events";
import { hashPassword } from "@/lib/tenants/accounts/password";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { finishSignIn } from "@/lib/tenants/two-factor/verify";
import { emailedToken, emailsTo, newUser, nextAddress, signedUpUser } from "@/lib/testing/accounts";
import { useClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";
import { twoFactorUser } from "@/lib/testing/two-factor";

const verified = vi.hoisted(() => ({ count: 0 }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = (...words) => {
    verified.count += 1;
    return real.verify(...words);
  };
  return { ...real, verify };
});

useService({ AUTH_SECRET: "s".repeat(32) });
const advance = useClock();

const HOUR = 3_600;
const subjects = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject);
const STOPPED = "Too many wrong passwords for your account";

type Refusal = { code: string; message: string };

/** Runs attempts four at a time: more would wait for connections on a busy machine. */
async function refusalsOf(count: number, attempt: (number: number) => Promise<unknown>): Promise<Refusal[]> {
  const limit = pLimit(4);
  const attempts = Array.from({ length: count }, (_, nth) => limit(() => attempt(nth).catch((e) => e)));
  return (await Promise.all(attempts)) as Refusal[];
}

/** Wrong passwords for an address, each from its own network. */
const guess = (email: string, count: number) =>
  refusalsOf(count, () =>
    signInWithPassword(database(), { email, password: "wrong horse", address: nextAddress() }),
  );

const countsOf = async ({ session }: { session: { id: string } }, ...actions: string[]) => {
  const events = await listAccountEvents(database(), session.id, { size: 100 });
  return actions.map((action) => events.filter((event) => event.action === action).length);
};

const updatePassword = (email: string, passwordHash: string | null) =>
  database().orm.update(users).set({ passwordHash }).where(eq(users.email, email));

const codesOf = (refusals: { code: string }[], code: string) =>
  refusals.filter((refusal) => refusal.code === code).length;

describe("guessing a password from many addresses", () => {
  test("stops after a day's number of attempts, also for the right password, and before any work", async () => {
    const owner = await signedUpUser();
    const before = verified.count;
    const refusals = await guess(owner.email, PASSWORD_GUESSES + 20);
    expect(codesOf(refusals, "UNAUTHORIZED")).toBe(PASSWORD_GUESSES);
    expect(codesOf(refusals, "RATE_LIMITED")).toBe(20);
    expect(verified.count - before).toBe(PASSWORD_GUESSES);
    const right = signInWithPassword(database(), { ...owner, address: nextAddress() });
    await expect(right).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringContaining("Reset your password by email, or use a browser"),
    });
  });

  test("reveals nothing: an address without an account is refused with the same texts", async () => {
    const texts = async (email: string) =>
      (await guess(email, PASSWORD_GUESSES + 3)).map(({ message }) => message).sort();
    expect(await texts(newUser().email)).toEqual(await texts((await signedUpUser()).email));
  });

  test("does not refuse other texts that are no address", async () => {
    await guess("ann@exmaple", PASSWORD_GUESSES + 1);
    expect(codesOf(await guess("ann@exmaple", 1), "RATE_LIMITED")).toBe(1);
    expect(codesOf(await guess("bob@exmaple", 1), "UNAUTHORIZED")).toBe(1);
  });

  test("is announced to the owner by one email a day, and never to an unconfirmed mailbox", async () => {
    const owner = await signedUpUser();
    await guess(owner.email, PASSWORD_GUESSES - 1);
    expect(await subjects(owner.email)).not.toContain(STOPPED);
    await guess(owner.email, 30);
    expect((await subjects(owner.email)).filter((subject) => subject === STOPPED)).toHaveLength(1);
    expect((await emailsTo(owner.email)).at(-1)?.text).toContain(`${PASSWORD_GUESSES} wrong passwords`);
    // Another process, which has counted nothing yet.
    forgetSingleton("limits");
    await guess(owner.email, PASSWORD_GUESSES);
    expect((await subjects(owner.email)).filter((subject) => subject === STOPPED)).toHaveLength(1);
    advance(48 * HOUR);
    await guess(owner.email, PASSWORD_GUESSES);
    expect((await subjects(owner.email)).filter((subject) => subject === STOPPED)).toHaveLength(2);
    const unconfirmed = newUser();
    await signUp(database(), unconfirmed);
    await guess(unconfirmed.email, PASSWORD_GUESSES + 1);
    expect(await subjects(unconfirmed.email)).toEqual(["Confirm your email address"]);
  });

  test("is not announced to an account without a password, which has none to guess or to replace", async () => {
    const owner = await signedUpUser();
    await updatePassword(owner.email, null);
    await guess(owner.email, PASSWORD_GUESSES + 1);
    expect(await subjects(owner.email)).not.toContain(STOPPED);
    expect(await countsOf(owner, "password.used_up")).toEqual([1]);
    await updatePassword(owner.email, await hashPassword("a newer password"));
    forgetSingleton("limits");
    await guess(owner.email, PASSWORD_GUESSES + 1);
    expect(await subjects(owner.email)).toContain(STOPPED);
  });

  test("does not lock the owner out of a familiar browser, which has attempts of its own", async () => {
    const owner = await signedUpUser();
    await guess(owner.email, PASSWORD_GUESSES + 1);
    const device = { id: uuidv7(), email: owner.email, sessionVersion: 1 };
    const familiar = { ...owner, device };
    expect(await signInWithPassword(database(), familiar)).toHaveProperty("signedIn");
    expect((await confirmPassword(database(), owner.session.id, owner.password, familiar)).id).toBe(
      owner.session.id,
    );
    const strange = { ...owner, device: { ...device, email: newUser().email } };
    await expect(signInWithPassword(database(), strange)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    for (let time = 0; time < 5; time++) {
      const wrong = signInWithPassword(database(), { ...familiar, password: "wrong horse" });
      await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    await expect(signInWithPassword(database(), familiar)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("stops after a day's number in familiar browsers too, with an email that names them", async () => {
    const owner = await signedUpUser();
    const { email } = owner;
    const guessAtHome = (count: number) =>
      refusalsOf(count, () => {
        const device = { id: uuidv7(), email, sessionVersion: 1 };
        return signInWithPassword(database(), { ...owner, password: "wrong horse", device });
      });
    await guess(email, PASSWORD_GUESSES);
    const refusals = await guessAtHome(PASSWORD_GUESSES + 5);
    expect(codesOf(refusals, "UNAUTHORIZED")).toBe(PASSWORD_GUESSES);
    expect(refusals.at(-1)?.message).toMatch(/Reset your password by email$/);
    await guess(email, 3);
    const emails = (await emailsTo(email)).filter(({ subject }) => subject === STOPPED);
    expect(
      emails.map(({ text }) => /For up to a day, further attempts from (.*) are blocked/.exec(text)?.[1]),
    ).toEqual(["new browsers", "browsers in which you have signed in before"]);
    expect(await countsOf(owner, "password.used_up", "password.refused")).toEqual([2, 1]);
  });

  test("has no share in a browser that signed in before the password was changed", async () => {
    const owner = await signedUpUser();
    const old = { id: uuidv7(), email: owner.email, sessionVersion: owner.session.sessionVersion };
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    const change = { token, password: "a newer password", address: owner.address };
    await resetPassword(database(), change);
    await guess(owner.email, PASSWORD_GUESSES);
    const thief = signInWithPassword(database(), { ...owner, device: old });
    await expect(thief).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const device = { ...old, sessionVersion: old.sessionVersion + 1 };
    expect(await signInWithPassword(database(), { ...owner, ...change, device })).toHaveProperty("signedIn");
  });

  test("does not stop a link by email, which signs in", async () => {
    const owner = await signedUpUser();
    await guess(owner.email, PASSWORD_GUESSES + 1);
    await requestPasswordReset(database(), owner);
    const token = await emailedToken(owner.email, "reset");
    const change = { token, password: "a newer password", address: owner.address };
    expect(await resetPassword(database(), change)).toMatchObject({ signedIn: { id: owner.session.id } });
  });
});

describe("guessing a second factor", () => {
  /** Six codes each half hour, until the day's number is used up. */
  const tryCodes = async (enter: (code: string) => Promise<unknown>) => {
    const refusals: Refusal[] = [];
    for (let half = 0; half < 8; half++) {
      refusals.push(...(await refusalsOf(6, (number) => enter(String(number).padStart(6, "0")))));
      advance(0.5 * HOUR);
    }
    return refusals;
  };
  const guessCodes = ({ session }: Awaited<ReturnType<typeof twoFactorUser>>) =>
    tryCodes((code) => finishSignIn(database(), session, { code, address: nextAddress() }));

  test("stops after a day's number of attempts, with an email, and neither in a familiar browser nor for recovery codes", async () => {
    const account = await twoFactorUser(advance);
    expect(codesOf(await guessCodes(account), "UNAUTHORIZED")).toBe(CODE_GUESSES);
    const caller = { address: nextAddress() };
    const right = finishSignIn(database(), account.session, { code: account.shown(), ...caller });
    await expect(right).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringContaining("Use a recovery code"),
    });
    expect(
      (await subjects(account.email)).filter((text) => text === "Someone may know your password"),
    ).toHaveLength(1);
    const [code = ""] = account.codes;
    expect(await finishSignIn(database(), account.session, { code, ...caller })).toEqual(account.session);
    const device = { id: uuidv7(), email: account.email, sessionVersion: account.session.sessionVersion };
    const familiar = finishSignIn(database(), account.session, { code: account.shown(), ...caller, device });
    expect(await familiar).toEqual(account.session);
    expect(await countsOf(account, "code.used_up")).toEqual([1]);
  });

  test("of an account without a password, blames the connected account in the email", async () => {
    const account = await twoFactorUser(advance);
    await updatePassword(account.email, null);
    await guessCodes(account);
    const { subject, text } = (await emailsTo(account.email)).at(-1) ?? {};
    expect(`${subject}: ${text}`).toMatch(/have access to your GitHub .*: .*, with the GitHub /s);
  });

  test("in the setup of an authenticator, announces nothing and advises no recovery code: there is none yet", async () => {
    const user = await signedUpUser();
    await startTwoFactorSetup(database(), user.session.id, user);
    const refusals = await tryCodes((code) =>
      enableTwoFactor(database(), user.session.id, { ...user, code }),
    );
    expect(codesOf(refusals, "UNAUTHORIZED")).toBe(CODE_GUESSES);
    expect(refusals.at(-1)?.message).toMatch(/^Too many attempts\. Try again in /);
    expect(await subjects(user.email)).toEqual([]);
  });

  test("records no more wrong recovery codes than the limit lets wrong codes pass", async () => {
    const account = await twoFactorUser(advance);
    for (let time = 0; time < 12; time++) {
      const wrong = finishSignIn(database(), account.session, {
        code: "ABCD-ABCD-ABCD-ABCD",
        address: nextAddress(),
      });
      await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect(await countsOf(account, "code.wrong", "code.refused")).toEqual([5, 1]);
  });
});
