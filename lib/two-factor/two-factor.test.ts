import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createUser } from "@/lib/accounts/create-user";
import { deleteAccount } from "@/lib/accounts/delete-account";
import { endSessions } from "@/lib/accounts/end-sessions";
import { findPerson } from "@/lib/accounts/find-person";
import { getAccount } from "@/lib/accounts/get-account";
import { type SignedIn, signIn } from "@/lib/accounts/sign-in";
import { database } from "@/lib/db/client";
import { recoveryCodes, users } from "@/lib/db/schema";
import { env } from "@/lib/env";
import { useService } from "@/lib/testing/service";
import { beginTwoFactor } from "@/lib/two-factor/begin";
import { disableTwoFactor, renewRecoveryCodes } from "@/lib/two-factor/disable";
import { enableTwoFactor } from "@/lib/two-factor/enable";
import { finishSignIn } from "@/lib/two-factor/finish-sign-in";
import { seal, unseal } from "@/lib/two-factor/seal";

useService({ AUTH_SECRET: "s".repeat(32) });

const START = Date.UTC(2031, 4, 5, 12);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

let last = 0;
const password = "correct horse";

async function someone() {
  const email = `${uuidv7()}@example.com`;
  const { id } = await createUser(database(), { email, name: "Ann", password });
  return { id, email, password, address: `203.0.113.${++last}` };
}

/** What an authenticator shows now. */
const shown = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });

/** Somebody with two-factor sign-in on, half a minute later, so that the authenticator shows another password. */
async function protectedOne() {
  const one = await someone();
  const { secret } = await beginTwoFactor(database(), one.id, one);
  const enabled = await enableTwoFactor(database(), one.id, { code: shown(secret) });
  advance(30);
  return { ...one, secret, codes: enabled.recoveryCodes };
}

async function firstStep(one: { email: string; password: string; address: string }): Promise<SignedIn> {
  const step = await signIn(database(), one);
  if (!("owesCode" in step)) throw new Error("no second factor was asked for");
  return step.owesCode;
}

describe("two-factor sign-in", () => {
  test("counts from the first right password on", async () => {
    const one = await someone();
    const { secret, qr } = await beginTwoFactor(database(), one.id, one);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(qr.path).toMatch(/^M2 2h1v1h-1z/);
    expect(await signIn(database(), one)).toHaveProperty("signedIn");
    const wrong = enableTwoFactor(database(), one.id, { code: "000000" });
    await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    expect(await signIn(database(), one)).toHaveProperty("signedIn");
    const enabled = await enableTwoFactor(database(), one.id, { code: shown(secret) });
    expect(new Set(enabled.recoveryCodes).size).toBe(10);
    expect(await getAccount(database(), one.id)).toMatchObject({
      twoFactorSince: new Date(START),
      recoveryCodesLeft: 10,
    });
    const owes = await firstStep(one);
    advance(30);
    expect(await finishSignIn(database(), owes, shown(secret))).toEqual({ id: one.id, sessionVersion: 1 });
  });

  test("is begun only by who knows the password, and not again while it is on", async () => {
    const one = await someone();
    const wrong = beginTwoFactor(database(), one.id, { ...one, password: "wrong horse" });
    await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    const on = await protectedOne();
    await expect(beginTwoFactor(database(), on.id, on)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await finishSignIn(database(), await firstStep(on), shown(on.secret))).toMatchObject({
      id: on.id,
    });
  });

  test("takes each password once, however many send it at once, and none from before the last one", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    const old = shown(one.secret);
    advance(30);
    const code = shown(one.secret);
    const tries = Array.from({ length: 4 }, () => finishSignIn(database(), owes, code));
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(finishSignIn(database(), owes, old)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("takes the password before and after, for clocks that are off, and no further one", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    const early = shown(one.secret);
    advance(120);
    const late = shown(one.secret);
    advance(-60);
    await expect(finishSignIn(database(), owes, early)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(finishSignIn(database(), owes, late)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    advance(30);
    expect(await finishSignIn(database(), owes, late.replace(/(...)/, "$1 "))).toMatchObject({ id: one.id });
  });

  test("takes a recovery code once, written in any way", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    const [code = "", other = ""] = one.codes;
    const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
    const ended = await Promise.allSettled([1, 2].map(() => finishSignIn(database(), owes, typed)));
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const stranger = await protectedOne();
    const borrowed = finishSignIn(database(), await firstStep(stranger), other);
    await expect(borrowed).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect((await getAccount(database(), one.id)).recoveryCodesLeft).toBe(9);
  });

  test("looks at 5 wrong codes in 15 minutes, from wherever they come, then at no right one", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    const wrong = () => finishSignIn(database(), owes, "ABCD-ABCD-ABCD-ABCD");
    const ended = await Promise.allSettled(Array.from({ length: 8 }, wrong));
    const codes = ended.map((end) => (end.status === "rejected" ? end.reason.code : "in"));
    expect(codes.filter((code) => code === "UNAUTHORIZED")).toHaveLength(5);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(3);
    const right = finishSignIn(database(), owes, shown(one.secret));
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("uses no try up with a right code", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    for (const code of one.codes) await finishSignIn(database(), owes, code);
    expect(await finishSignIn(database(), owes, shown(one.secret))).toMatchObject({ id: one.id });
  });

  test("begins anew where every session was ended since the first step", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    await endSessions(database(), one.id);
    const late = finishSignIn(database(), owes, shown(one.secret));
    await expect(late).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("is passed with a recovery code where AUTH_SECRET is a new one", async () => {
    const one = await protectedOne();
    const owes = await firstStep(one);
    Object.assign(env(), { AUTH_SECRET: "n".repeat(32) });
    const unreadable = finishSignIn(database(), owes, shown(one.secret));
    await expect(unreadable).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await finishSignIn(database(), owes, one.codes[0] ?? "")).toMatchObject({ id: one.id });
    Object.assign(env(), { AUTH_SECRET: "s".repeat(32) });
  });

  test("is turned off by both factors and by none alone", async () => {
    const one = await protectedOne();
    const [code = "", next = ""] = one.codes;
    const unproven = disableTwoFactor(database(), one.id, { ...one, password: "wrong horse", code });
    await expect(unproven).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    const uncoded = disableTwoFactor(database(), one.id, { ...one, code: "123456" });
    await expect(uncoded).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    await firstStep(one);
    const renewed = await renewRecoveryCodes(database(), one.id, { ...one, code });
    const old = disableTwoFactor(database(), one.id, { ...one, code: next });
    await expect(old).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await disableTwoFactor(database(), one.id, { ...one, code: renewed.recoveryCodes[0] ?? "" });
    expect(await signIn(database(), one)).toHaveProperty("signedIn");
    expect(await getAccount(database(), one.id)).toMatchObject({
      twoFactorSince: null,
      recoveryCodesLeft: 0,
    });
  });

  test("is asked for before an account is deleted", async () => {
    const one = await protectedOne();
    const without = deleteAccount(database(), one.id, { ...one, confirm: one.email });
    await expect(without).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "code" });
    expect(await findPerson(database(), { id: one.id, sessionVersion: 1 })).toBeDefined();
    await deleteAccount(database(), one.id, { ...one, confirm: one.email, code: shown(one.secret) });
    expect(await database().orm.select().from(recoveryCodes).where(eq(recoveryCodes.userId, one.id))).toEqual(
      [],
    );
  });
});

describe("what the tables hold", () => {
  test("is neither the secret nor a recovery code", async () => {
    const one = await protectedOne();
    const [user] = await database().orm.select().from(users).where(eq(users.id, one.id));
    const kept = await database().orm.select().from(recoveryCodes).where(eq(recoveryCodes.userId, one.id));
    const secret = Buffer.from(Secret.fromBase32(one.secret).bytes);
    expect(user?.totpSecret?.includes(secret)).toBe(false);
    for (const { codeHash } of kept) {
      expect(one.codes.some((code) => codeHash.includes(code.replaceAll("-", "")))).toBe(false);
    }
  });

  test("opens for its own person, with its own secret, unchanged", () => {
    const [one, other] = [uuidv7(), uuidv7()];
    const plain = Buffer.from("twenty bytes, secret");
    const sealed = seal(plain, one);
    expect(seal(plain, one).equals(sealed)).toBe(false);
    expect(unseal(sealed, one)).toEqual(plain);
    expect(() => unseal(sealed, other)).toThrow();
    for (let at = 0; at < sealed.length; at += 7) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => unseal(changed, one)).toThrow();
    }
    const settings = env();
    settings.AUTH_SECRET = "t".repeat(32);
    expect(() => unseal(sealed, one)).toThrow();
    settings.AUTH_SECRET = "s".repeat(32);
  });
});
