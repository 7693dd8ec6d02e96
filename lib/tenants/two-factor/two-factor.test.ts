import { eq } from "drizzle-orm";
import { Secret } from "otpauth";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { recoveryCodes, users } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { getAccount } from "@/lib/tenants/account-settings/get-account";
import {
  createSession,
  endSessions,
  findSignedInUser,
  listSessions,
  resumeSession,
  type SessionClaims,
} from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/tenants/two-factor/disable";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { finishSignIn as completeSignIn } from "@/lib/tenants/two-factor/verify";
import { nextAddress, signedUpUser } from "@/lib/testing/accounts";
import { CLOCK_START, useClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";
import { shownPassword, twoFactorUser } from "@/lib/testing/two-factor";

useService({ AUTH_SECRET: "s".repeat(32) });

const advance = useClock();

/** The secret of an authenticator that belongs to no account. */
const newAuthenticator = () => new Secret({ size: 20 }).base32;

async function accountOf() {
  const { session, ...user } = await signedUpUser();
  return { ...user, id: session.id };
}

const twoFactorAccount = () => twoFactorUser(advance);

const address = nextAddress();
const finishSignIn = (pending: SessionClaims, code: string) =>
  completeSignIn(database(), pending, { code, address });

async function passFirstFactor(account: {
  email: string;
  password: string;
  address: string;
}): Promise<SessionClaims> {
  const step = await signInWithPassword(database(), account);
  if (!("needsCode" in step)) throw new Error("no second factor was asked for");
  return step.needsCode;
}

describe("two-factor sign-in", () => {
  test("counts from the first right password on", async () => {
    const account = await accountOf();
    const { secret, qr } = await startTwoFactorSetup(database(), account.id, account);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(qr.path).toMatch(/^M2 2h1v1h-1z/);
    expect(await signInWithPassword(database(), account)).toHaveProperty("signedIn");
    const wrong = enableTwoFactor(database(), account.id, { ...account, code: "000000" });
    await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    expect(await signInWithPassword(database(), account)).toHaveProperty("signedIn");
    const browser = { address: account.address, userAgent: "Firefox" };
    const before = { id: account.id, sessionVersion: 1 };
    await createSession(database(), before, browser);
    const input = { ...account, code: shownPassword(secret) };
    const enabled = await enableTwoFactor(database(), account.id, input);
    expect(await listSessions(database(), account.id)).toEqual([]);
    expect(enabled.account).toEqual({ id: account.id, sessionVersion: 2 });
    // A sign-in that had proved only the password, and starts its session only now.
    expect(await resumeSession(database(), await createSession(database(), before, browser))).toBeUndefined();
    expect(new Set(enabled.recoveryCodes).size).toBe(10);
    // Five bits a character; with fewer than 112 in all, a plain hash would be too weak.
    for (const code of enabled.recoveryCodes)
      expect(5 * code.replaceAll("-", "").length).toBeGreaterThanOrEqual(112);
    expect(await getAccount(database(), account.id)).toMatchObject({
      twoFactorSince: new Date(CLOCK_START),
      recoveryCodesLeft: 10,
    });
    const pending = await passFirstFactor(account);
    advance(30);
    expect(await finishSignIn(pending, shownPassword(secret))).toEqual(enabled.account);
  });

  test("needs the password to begin, and does not begin again while it is on", async () => {
    const account = await accountOf();
    const wrong = startTwoFactorSetup(database(), account.id, { ...account, password: "wrong horse" });
    await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    const on = await twoFactorAccount();
    await expect(startTwoFactorSetup(database(), on.id, on)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await finishSignIn(await passFirstFactor(on), shownPassword(on.secret))).toMatchObject({
      id: on.id,
    });
  });

  test("takes each password once, however many send it at once, and none from before the last one", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    const old = shownPassword(account.secret);
    advance(30);
    const code = shownPassword(account.secret);
    const tries = Array.from({ length: 4 }, () => finishSignIn(pending, code));
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(finishSignIn(pending, old)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("takes the password before and after, for clocks that are off, and no further one", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    const early = shownPassword(account.secret);
    advance(120);
    const late = shownPassword(account.secret);
    advance(-60);
    await expect(finishSignIn(pending, early)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(finishSignIn(pending, late)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    advance(30);
    expect(await finishSignIn(pending, late.replace(/(...)/, "$1 "))).toMatchObject({
      id: account.id,
    });
  });

  test("takes a recovery code once, written in any way", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    const [code = "", other = ""] = account.codes;
    const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
    const ended = await Promise.allSettled([1, 2].map(() => finishSignIn(pending, typed)));
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const stranger = await twoFactorAccount();
    const borrowed = finishSignIn(await passFirstFactor(stranger), other);
    await expect(borrowed).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect((await getAccount(database(), account.id)).recoveryCodesLeft).toBe(9);
  });

  test("looks at 5 wrong codes in 15 minutes, from wherever they come, then at no right one", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    const wrong = () => finishSignIn(pending, shownPassword(newAuthenticator()));
    const ended = await Promise.allSettled(Array.from({ length: 8 }, wrong));
    const codes = ended.map((end) => (end.status === "rejected" ? end.reason.code : "in"));
    expect(codes.filter((code) => code === "UNAUTHORIZED")).toHaveLength(5);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(3);
    const right = finishSignIn(pending, shownPassword(account.secret));
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("accepts a recovery code after any number of wrong codes of both kinds", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    for (let time = 0; time < 6; time++) {
      for (const wrong of [shownPassword(newAuthenticator()), "ABCD-ABCD-ABCD-ABCD", "ABCD"]) {
        await expect(finishSignIn(pending, wrong)).rejects.toThrow();
      }
    }
    expect(await finishSignIn(pending, account.codes[0] ?? "")).toMatchObject({ id: account.id });
  });

  test("uses no try up with a right code", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    for (const code of account.codes) await finishSignIn(pending, code);
    expect(await finishSignIn(pending, shownPassword(account.secret))).toMatchObject({ id: account.id });
  });

  test("begins again where every session was ended since the first step", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    const { sessionId } = await createSession(database(), account.session, { address, userAgent: "" });
    await endSessions(database(), { userId: account.id, sessionId, address });
    const late = finishSignIn(pending, shownPassword(account.secret));
    await expect(late).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("is passed with a recovery code where AUTH_SECRET is a new one", async () => {
    const account = await twoFactorAccount();
    const pending = await passFirstFactor(account);
    Object.assign(env(), { AUTH_SECRET: "n".repeat(32) });
    const unreadable = finishSignIn(pending, shownPassword(account.secret));
    await expect(unreadable).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await finishSignIn(pending, account.codes[0] ?? "")).toMatchObject({ id: account.id });
    Object.assign(env(), { AUTH_SECRET: "s".repeat(32) });
  });

  test("is turned off by both factors and by none alone", async () => {
    const account = await twoFactorAccount();
    const [code = "", next = ""] = account.codes;
    const unproven = disableTwoFactor(database(), account.id, { ...account, password: "wrong horse", code });
    await expect(unproven).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    const uncoded = disableTwoFactor(database(), account.id, { ...account, code: "123456" });
    await expect(uncoded).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    await passFirstFactor(account);
    const renewed = await renewRecoveryCodes(database(), account.id, { ...account, code });
    const old = disableTwoFactor(database(), account.id, { ...account, code: next });
    await expect(old).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await disableTwoFactor(database(), account.id, { ...account, code: renewed.recoveryCodes[0] ?? "" });
    expect(await signInWithPassword(database(), account)).toHaveProperty("signedIn");
    expect(await getAccount(database(), account.id)).toMatchObject({
      twoFactorSince: null,
      recoveryCodesLeft: 0,
    });
  });

  test("has ten recovery codes after two renewals at once", async () => {
    const account = await twoFactorAccount();
    const [code = "", next = ""] = account.codes;
    const renew = (factor: string) =>
      renewRecoveryCodes(database(), account.id, { ...account, code: factor });
    // The second may come too late for its code, which the first replaces.
    await Promise.allSettled([renew(code), renew(next)]);
    expect((await getAccount(database(), account.id)).recoveryCodesLeft).toBe(10);
  });

  test("is asked for before an account is deleted", async () => {
    const account = await twoFactorAccount();
    const without = deleteAccount(database(), account.id, { ...account, confirm: account.email });
    await expect(without).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    expect(await findSignedInUser(database(), account.session)).toBeDefined();
    await deleteAccount(database(), account.id, {
      ...account,
      confirm: account.email,
      code: shownPassword(account.secret),
    });
    expect(
      await database().orm.select().from(recoveryCodes).where(eq(recoveryCodes.userId, account.id)),
    ).toEqual([]);
  });
});

describe("the contents of the tables", () => {
  test("is neither the secret nor a recovery code", async () => {
    const account = await twoFactorAccount();
    const [user] = await database().orm.select().from(users).where(eq(users.id, account.id));
    const stored = await database()
      .orm.select()
      .from(recoveryCodes)
      .where(eq(recoveryCodes.userId, account.id));
    const secret = Buffer.from(Secret.fromBase32(account.secret).bytes);
    expect(user?.totpSecret?.includes(secret)).toBe(false);
    for (const { codeHash } of stored) {
      expect(account.codes.some((code) => codeHash.includes(code.replaceAll("-", "")))).toBe(false);
    }
  });
});
