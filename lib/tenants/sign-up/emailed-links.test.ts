import { eq, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { emails, invitations } from "@/lib/platform/db/schema";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { createInvitation } from "@/lib/tenants/invitations/create";
import { findOpenInvitation } from "@/lib/tenants/sign-up/admission";
import { requestPasswordReset, resetPassword } from "@/lib/tenants/sign-up/reset-password";
import { signUp } from "@/lib/tenants/sign-up/sign-up";
import { verifyEmail } from "@/lib/tenants/sign-up/verify-email";
import { emailedToken, emailsTo, newUser, nextAddress, signedUpUser } from "@/lib/testing/accounts";
import { useClock } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { makeWorkspace } from "@/lib/testing/workspace";

useService({ AUTH_SECRET: "s".repeat(32) });
const advance = useClock();

const MINUTE = 60;
const resets = async (email: string) =>
  (await emailsTo(email)).filter(({ subject }) => /new password|No account/.test(subject)).length;

/** Requests of strangers, each from its own network, several at once. */
function flood(email: string): Promise<unknown> {
  const limit = pLimit(8);
  const request = () => requestPasswordReset(database(), { email, address: nextAddress() });
  return Promise.all(Array.from({ length: 30 }, () => limit(request)));
}

describe("a flood of requests for another user's reset emails", () => {
  test("sends one in ten minutes, whose link the owner can use", async () => {
    const owner = await signedUpUser();
    await flood(owner.email);
    await requestPasswordReset(database(), owner);
    expect(await resets(owner.email)).toBe(1);
    const token = await emailedToken(owner.email, "reset");
    const change = { token, password: "a newer password", address: owner.address };
    expect(await resetPassword(database(), change)).toHaveProperty("signedIn");
  });

  test("keeps no owner waiting: after ten minutes, or once the link was used, the next one leaves", async () => {
    const owner = await signedUpUser();
    await flood(owner.email);
    advance(10 * MINUTE);
    await flood(owner.email);
    expect(await resets(owner.email)).toBe(2);
    const token = await emailedToken(owner.email, "reset");
    await resetPassword(database(), { token, password: "a newer password", address: owner.address });
    await requestPasswordReset(database(), owner);
    const next = await emailedToken(owner.email, "reset");
    expect(next).not.toBe(token);
    await resetPassword(database(), { token: next, password: "the newest of all", address: owner.address });
  });

  test("looks and works the same for an address without an account", async () => {
    const [owner, stranger] = [await signedUpUser(), newUser()];
    for (const sent of [true, false]) {
      const known = await statementsOf(() => requestPasswordReset(database(), owner));
      const unknown = await statementsOf(() => requestPasswordReset(database(), stranger));
      expect(unknown).toEqual(known);
      expect(known.some((text) => text.includes(`insert into "mails"`))).toBe(sent);
    }
    await flood(stranger.email);
    expect(await resets(stranger.email)).toBe(1);
  });

  test("keeps back no link of an account that the address gets within the ten minutes", async () => {
    const owner = newUser();
    await requestPasswordReset(database(), owner);
    await signUp(database(), owner);
    const token = await emailedToken(owner.email, "verify");
    const session = await verifyEmail(database(), { ...owner, token });
    await requestPasswordReset(database(), owner);
    expect(await emailedToken(owner.email, "reset")).not.toBe("no link");
    await signUp(database(), owner);
    await deleteAccount(database(), session.id, { ...owner, confirm: owner.email });
    await signUp(database(), owner);
    const next = await emailedToken(owner.email, "verify");
    expect(await verifyEmail(database(), { ...owner, token: next })).toHaveProperty("id");
  });

  test("keeps back no first link of an account that is not confirmed yet, and lets no second one leave", async () => {
    const owner = newUser();
    await flood(owner.email);
    await signUp(database(), owner);
    await flood(owner.email);
    expect(await resets(owner.email)).toBe(2);
    const token = await emailedToken(owner.email, "reset");
    const change = { token, password: "a newer password", address: owner.address };
    expect(await resetPassword(database(), change)).toHaveProperty("signedIn");
  });

  test("does not use up the confirmation of a sign-up, which has a slot of its own", async () => {
    const owner = newUser();
    await flood(owner.email);
    await signUp(database(), owner);
    for (let time = 0; time < 4; time++) await signUp(database(), { ...owner, address: nextAddress() });
    expect((await emailsTo(owner.email)).map(({ subject }) => subject)).toEqual([
      "No account with this address",
      "Confirm your email address",
    ]);
    const token = await emailedToken(owner.email, "verify");
    expect(await verifyEmail(database(), { ...owner, token })).toHaveProperty("id");
    await signUp(database(), owner);
    expect((await emailsTo(owner.email)).at(-1)?.subject).toBe("You already have an account");
  });
});

test("a link whose email waits for the mail server while the password is changed is not sent, because it is dead", async () => {
  const owner = await signedUpUser();
  await requestPasswordReset(database(), owner);
  await updatePassword(database(), owner.session.id, { ...owner, newPassword: "a newer password" });
  const subjects = (await emailsTo(owner.email)).map(({ subject }) => subject);
  expect(subjects.at(-1)).toBe("Your password was changed");
  expect(subjects).not.toContain("Choose a new password");
});

test("a link that is requested while the password is being changed works, if its email leaves", async () => {
  const owner = await signedUpUser();
  await requestPasswordReset(database(), owner);
  let changing: Promise<unknown> | undefined;
  await database().transaction(async ({ orm }) => {
    await orm.select().from(emails).where(eq(emails.recipient, owner.email)).for("update");
    changing = updatePassword(database(), owner.session.id, { ...owner, newPassword: "a newer password" });
    await blockedBackends();
    advance(10 * MINUTE);
    await requestPasswordReset(database(), owner);
  });
  await changing;
  const [link] = (await emailsTo(owner.email))
    .flatMap(({ text }) => /\/reset\/([\w-]{43})/.exec(text) ?? [])
    .slice(1);
  const change = { token: link ?? "", password: "the newest of all", address: owner.address };
  expect(await resetPassword(database(), change)).toHaveProperty("signedIn");
});

test("the link of a forgotten password continues at the invitation of its address, and at no other path", async () => {
  const { workspaceContext } = await makeWorkspace();
  const [owner, other] = [await signedUpUser(), await signedUpUser()];
  const { url } = await createInvitation(workspaceContext, { role: "viewer" });
  await createInvitation(workspaceContext, { role: "viewer", email: owner.email });
  const emailed = /\/invite\/[\w-]{43}/.exec((await emailsTo(owner.email)).at(-1)?.text ?? "")?.[0];
  const linkFor = async (user: typeof owner, next: string | undefined) => {
    advance(10 * MINUTE);
    await requestPasswordReset(database(), { ...user, next });
    return /\/reset\/[\w-]{43}(\S*)/.exec((await emailsTo(user.email)).at(-1)?.text ?? "")?.[1];
  };
  const onward = (next: string) => `?next=${encodeURIComponent(next)}`;
  expect(await linkFor(owner, emailed)).toBe(onward(emailed ?? ""));
  expect(await linkFor(other, emailed)).toBe("");
  expect(await linkFor(other, new URL(url ?? "").pathname)).toBe(onward(new URL(url ?? "").pathname));
  expect(await linkFor(owner, "/invite/buy-at-evil-example-org")).toBe("");
});

test("an emailed invitation says who invites to what, and its sign-up knows the address", async () => {
  const { workspaceContext: owner } = await makeWorkspace();
  const email = newUser().email;
  await createInvitation(owner, { role: "viewer", email });
  const [sent] = await emailsTo(email);
  expect(sent?.subject).toBe(`Ann invites you to ${owner.workspace.name}`);
  for (const part of [
    `Ann invites you to join the workspace ${owner.workspace.name}`,
    "Your role: viewer.",
  ]) {
    expect(sent?.text).toContain(part);
  }
  const path = /\/invite\/[\w-]{43}/.exec(sent?.text ?? "")?.[0];
  const workspace = { id: owner.workspace.id, name: owner.workspace.name };
  expect(await findOpenInvitation(path)).toMatchObject({
    email,
    invitedBy: "Ann",
    role: "viewer",
    workspace,
  });
  for (const next of [undefined, "/dashboard", `/invite/${"x".repeat(43)}`]) {
    expect(await findOpenInvitation(next)).toBeUndefined();
  }
  // The page that signs in then shows no workspace, and asks for the address.
  const mine = eq(invitations.email, email);
  await database().orm.update(invitations).set({ expiresAt: sql`now()` }).where(mine);
  expect(await findOpenInvitation(path)).toBeUndefined();
});
