import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { accountTokens, auditLog, invitations, users } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { generateToken } from "@/lib/platform/secrets/random-token";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { verifyEmail } from "@/lib/tenants/sign-up/verify-email";
import {
  emailedToken,
  emailsTo,
  expireLinks,
  newUser,
  nextAddress,
  signedUpUser,
} from "@/lib/testing/accounts";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });

describe("signing up", () => {
  test("creates an account that needs the link and the password, with its own workspace", async () => {
    const input = newUser();
    await signUp(database(), input);
    const closed = signInWithPassword(database(), input);
    await expect(closed).rejects.toMatchObject({ code: "FORBIDDEN" });
    const token = await emailedToken(input.email, "verify");
    const session = await verifyEmail(database(), { ...input, token });
    const user = await findSignedInUser(database(), session);
    expect(user).toMatchObject({
      email: input.email,
      name: "Ann Ash",
      workspaces: [{ name: "Ann Ash's workspace", role: "owner", plan: env().DEFAULT_PLAN }],
    });
    expect(await signInWithPassword(database(), input)).toEqual({ signedIn: session });
    const [entry] = await database()
      .orm.select()
      .from(auditLog)
      .where(eq(auditLog.workspaceId, user?.workspaces[0]?.id ?? ""));
    expect(entry).toMatchObject({ action: "workspace.created", actorId: session.id, address: input.address });
  });

  test("keeps no link as text", async () => {
    const input = newUser();
    await signUp(database(), input);
    const token = await emailedToken(input.email, "verify");
    const [row] = await database()
      .orm.select()
      .from(accountTokens)
      .where(eq(accountTokens.email, input.email));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.tokenHash).toHaveLength(32);
  });

  test("lets a link work once, however many use it at once", async () => {
    const input = newUser();
    await signUp(database(), input);
    const token = await emailedToken(input.email, "verify");
    const tries = Array.from({ length: 5 }, () => verifyEmail(database(), { ...input, token }));
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const user = await findSignedInUser(database(), { id: await idOf(input.email), sessionVersion: 1 });
    expect(user?.workspaces).toHaveLength(1);
    await expect(verifyEmail(database(), { ...input, token })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("accepts no link that has expired, has another purpose, or was made up", async () => {
    const input = newUser();
    await signUp(database(), input);
    const token = await emailedToken(input.email, "verify");
    const dead = { code: "NOT_FOUND" };
    const asReset = resetPassword(database(), { ...input, token });
    await expect(asReset).rejects.toMatchObject(dead);
    await expect(verifyEmail(database(), { ...input, token: "x".repeat(43) })).rejects.toMatchObject(dead);
    await expireLinks(input.email);
    await expect(verifyEmail(database(), { ...input, token })).rejects.toMatchObject(dead);
  });

  test("is not finished by a stranger's password behind the owner's link", async () => {
    const owner = newUser();
    await signUp(database(), owner);
    await signUp(database(), { ...owner, password: "the thief's own", address: nextAddress() });
    const token = await emailedToken(owner.email, "verify");
    await expect(verifyEmail(database(), { ...owner, token })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await requestPasswordReset(database(), owner);
    await resetPassword(database(), { ...owner, token: await emailedToken(owner.email, "reset") });
    expect(await signInWithPassword(database(), owner)).toHaveProperty("signedIn");
    const old = verifyEmail(database(), { ...owner, password: "the thief's own", token });
    await expect(old).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("says the same, after the same work, to an address that has an account, and leaves that as it is", async () => {
    const known = await signedUpUser();
    const fresh = newUser();
    const as = (email: string) => ({ ...fresh, email, name: "Thief", password: "the thief's own" });
    let answers: unknown[] = [];
    const unknownWork = await statementsOf(async () => {
      answers = [await signUp(database(), as(fresh.email))];
    });
    const knownWork = await statementsOf(async () => {
      answers.push(await signUp(database(), as(known.email)));
    });
    expect(answers).toEqual([undefined, undefined]);
    expect(knownWork).toEqual(unknownWork);
    const [message] = (await emailsTo(known.email)).slice(-1);
    expect(message).toMatchObject({ subject: "You already have an account" });
    expect(message?.text).not.toMatch(/Thief|\/verify\//);
    expect(await signInWithPassword(database(), known)).toEqual({ signedIn: known.session });
  });

  test.each([
    [{ email: "no-address" }, "email"],
    [{ name: " " }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ password: "short" }, "password"],
    [{ password: "x".repeat(201) }, "password"],
    [{ password: "1234567890" }, "password"],
    [{ password: "Annabel Ash", name: "Annabel Ash" }, "password"],
  ])("names the field that is wrong: %j", async (wrong, field) => {
    const refused = signUp(database(), { ...newUser(), ...wrong });
    await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  });

  test("writes no text of an unconfirmed account into an email", async () => {
    const name = "!! Your account is locked. Unlock at https://evil.example";
    const next = "/invite/unlock-your-account-at-evil-example";
    const input = { ...newUser(), name, next };
    await signUp(database(), input);
    await requestPasswordReset(database(), input);
    const links = await emailsTo(input.email);
    await resetPassword(database(), { ...input, token: await emailedToken(input.email, "reset") });
    const emails = [...links, ...(await emailsTo(input.email))];
    expect(emails.map(({ subject }) => subject)).toEqual([
      "Confirm your email address",
      "Choose a new password",
      "Your password was changed",
    ]);
    expect(emails.filter(({ text, subject }) => `${subject} ${text}`.includes("evil"))).toEqual([]);
  });
});

describe("if sign-up is closed", () => {
  const closed = async <T>(work: () => Promise<T>): Promise<T> => {
    const settings = env();
    const before = settings.SIGN_UP;
    settings.SIGN_UP = "closed";
    return work().finally(() => {
      settings.SIGN_UP = before;
    });
  };

  async function invite(email: string | null, expiresAt = new Date(Date.now() + 60_000)): Promise<string> {
    const { token, tokenHash } = generateToken();
    const { session } = await signedUpUser();
    const workspaceId = (await findSignedInUser(database(), session))?.workspaces[0]?.id ?? "";
    await database().orm.insert(invitations).values({
      workspaceId,
      id: uuidv7(),
      tokenHash,
      email,
      role: "viewer",
      invitedBy: session.id,
      expiresAt,
    });
    return `/invite/${token}`;
  }

  test("only an address with an open invitation can sign up, without a workspace", async () => {
    const input = newUser();
    const others = [undefined, "/invite/made-up-made-up-made-up", await invite("else@example.com")];
    others.push(await invite(input.email, new Date(Date.now() - 1)));
    for (const next of others) {
      const refused = closed(() => signUp(database(), { ...input, next }));
      await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await emailsTo(input.email)).toEqual([]);
    const next = await invite(input.email);
    await closed(() => signUp(database(), { ...input, next }));
    const [message] = await emailsTo(input.email);
    expect(message?.text).toContain(`?next=${encodeURIComponent(next)}`);
    const token = await emailedToken(input.email, "verify");
    const session = await closed(() => verifyEmail(database(), { ...input, token, next }));
    expect(await findSignedInUser(database(), session)).toMatchObject({ workspaces: [] });
  });
});

async function idOf(email: string): Promise<string> {
  const [row] = await database().orm.select({ id: users.id }).from(users).where(eq(users.email, email));
  return row?.id ?? "";
}
