import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import {
  accountTokens,
  auditLog,
  memberships,
  userIdentities,
  users,
  workspaces,
} from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { getAccount } from "@/lib/tenants/account-settings/get-account";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { listAccountEvents } from "@/lib/tenants/accounts/events";
import { createSession, endSessions, findSignedInUser } from "@/lib/tenants/accounts/session";
import { signInWithPassword } from "@/lib/tenants/accounts/sign-in";
import { updatePassword } from "@/lib/tenants/accounts/update-password";
import { updateUserName } from "@/lib/tenants/accounts/user";
import { insertApp } from "@/lib/tenants/apps/create";
import { conflictOf } from "@/lib/tenants/audit/changes";
import { requestPasswordReset } from "@/lib/tenants/sign-up/reset-password";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { lockWorkspace } from "@/lib/tenants/workspaces/lock";
import { addMember } from "@/lib/tenants/workspaces/members";
import { stopClock } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "s".repeat(32) });

let last = 0;
const password = "correct horse";
const newPassword = "battery staple";

/** An account with its own network address. */
async function someone() {
  const email = `${uuidv7()}@example.com`;
  const { id } = await createUser(database(), { email, name: "Ann", password });
  return { id, email, password, address: `203.0.113.${++last}` };
}

async function workspaceOf(...users: [id: string, role: "owner" | "admin"][]): Promise<string> {
  const { id } = await insertWorkspace(database(), { name: "Acme" });
  for (const [userId, role] of users) await addMember(database(), { workspaceId: id, userId, role });
  return id;
}

const personOf = (id: string, sessionVersion = 1) => findSignedInUser(database(), { id, sessionVersion });

describe("the account of a signed-in user", () => {
  test("takes a new name, which its security log has with the former one", async () => {
    const { id, address } = await someone();
    await updateUserName(database(), id, { name: " Ann Ash ", address });
    expect(await personOf(id)).toMatchObject({ name: "Ann Ash" });
    const blank = updateUserName(database(), id, { name: "", address });
    await expect(blank).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "name" });
    await updateUserName(database(), id, { name: "Ann Ash", address });
    const named = { action: "account.renamed", detail: "“Ann” to “Ann Ash”", address };
    expect(await listAccountEvents(database(), id)).toMatchObject([named]);
  });

  test("refuses the name of a form that was opened before another tab saved one", async () => {
    const { id, address } = await someone();
    const seen = JSON.stringify({ name: "Ann" });
    const save = (name: string) => updateUserName(database(), id, { name, address, seen });
    const ends = await Promise.allSettled([save("Anna"), save("Annie")]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [first = "", second = ""] = ends[0].status === "fulfilled" ? ["Anna", "Annie"] : ["Annie", "Anna"];
    expect(await personOf(id)).toMatchObject({ name: first });
    await save(` ${first} `);
    await expect(save(" ")).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "name" });
    const refused: AppError = await save(second).catch((error) => error);
    expect(refused.message).toBe("You saved this in another tab or window. Your changes were not saved");
    expect(conflictOf(refused)?.changes).toEqual([{ field: "name", before: first, after: second }]);
  });

  test("takes a new password with the current one, and every other session ends", async () => {
    const ann = await someone();
    await requestPasswordReset(database(), ann);
    const session = await updatePassword(database(), ann.id, { ...ann, newPassword });
    expect(session).toEqual({ id: ann.id, sessionVersion: 2 });
    expect(await personOf(ann.id)).toBeUndefined();
    expect(await findSignedInUser(database(), session)).toBeDefined();
    await expect(signInWithPassword(database(), ann)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await signInWithPassword(database(), { ...ann, password: newPassword })).toEqual({
      signedIn: session,
    });
    const links = database().orm.select().from(accountTokens).where(eq(accountTokens.userId, ann.id));
    expect(await links).toEqual([]);
  });

  test("keeps its password without the current one, after 5 attempts too", async () => {
    stopClock();
    const ann = await someone();
    const wrong = () => updatePassword(database(), ann.id, { ...ann, password: "wrong horse", newPassword });
    for (let time = 0; time < 5; time++) {
      await expect(wrong()).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    }
    const right = updatePassword(database(), ann.id, { ...ann, newPassword });
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await personOf(ann.id)).toBeDefined();
  });

  test("takes one of two new passwords that are chosen at the same time", async () => {
    const ann = await someone();
    const passwords = [newPassword, "stapler battery"];
    const ends = await Promise.allSettled(
      passwords.map((chosen) => updatePassword(database(), ann.id, { ...ann, newPassword: chosen })),
    );
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(refused).toMatchObject([{ message: "The password was just changed in another browser" }]);
  });

  test("takes no new password that is easy to guess", async () => {
    const ann = await someone();
    const weak = updatePassword(database(), ann.id, { ...ann, newPassword: ann.email });
    await expect(weak).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "newPassword" });
    expect(await signInWithPassword(database(), ann)).toHaveProperty("signedIn");
  });

  test("gets no first password from a session alone", async () => {
    const ann = await someone();
    await database().orm.update(users).set({ passwordHash: null }).where(eq(users.id, ann.id));
    const first = updatePassword(database(), ann.id, { ...ann, newPassword });
    const answer = {
      code: "CONFLICT",
      message: "This account has no password yet. Request a link by email to set one",
    };
    await expect(first).rejects.toMatchObject(answer);
    await expect(signInWithPassword(database(), ann)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await getAccount(database(), ann.id)).toMatchObject({ hasPassword: false, connected: [] });
  });

  test("signs out everywhere, but for the session made of the answer", async () => {
    const { id } = await someone();
    const address = "203.0.113.9";
    const claims = { id, sessionVersion: 1 };
    const { sessionId } = await createSession(database(), claims, { address, userAgent: "" });
    const end = () => endSessions(database(), { userId: id, sessionId, address });
    const ended = await Promise.allSettled([end(), end()]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await personOf(id, 1)).toBeUndefined();
    expect(await personOf(id, 2)).toBeDefined();
  });
});

describe("the end of an account", () => {
  test("deletes workspaces without other members and apps with it, and leaves the others", async () => {
    const [ann, bob] = [await someone(), await someone()];
    const [own, shared] = [
      await workspaceOf([ann.id, "owner"]),
      await workspaceOf([bob.id, "owner"], [ann.id, "admin"]),
    ];
    await database()
      .orm.insert(userIdentities)
      .values({ provider: "github", providerAccountId: ann.id, userId: ann.id });
    await requestPasswordReset(database(), ann);
    await deleteAccount(database(), ann.id, { ...ann, confirm: ` ${ann.email.toUpperCase()} ` });
    expect(await personOf(ann.id)).toBeUndefined();
    const left = await Promise.all(
      [accountTokens, memberships, userIdentities].map((table) =>
        database().orm.select().from(table).where(eq(table.userId, ann.id)),
      ),
    );
    expect(left.flat()).toEqual([]);
    const names = await database().orm.select({ id: workspaces.id }).from(workspaces);
    expect(names.map(({ id }) => id)).toContain(shared);
    expect(names.map(({ id }) => id)).not.toContain(own);
    const log = await database().orm.select().from(auditLog).where(eq(auditLog.workspaceId, shared));
    expect(log).toMatchObject([{ action: "member.left", actorId: ann.id, address: ann.address }]);
    await createUser(database(), { email: ann.email, name: "Ann", password });
  });

  test.each(["an app", "other users"])(
    "is refused to the only owner of a workspace with %s",
    async (what) => {
      const [ann, bob] = [await someone(), await someone()];
      const alone = await workspaceOf([ann.id, "owner"]);
      const busy = await workspaceOf([ann.id, "owner"]);
      if (what === "an app") await insertApp(database(), busy, { name: "Fitness", sandbox: true });
      else await addMember(database(), { workspaceId: busy, userId: bob.id, role: "admin" });
      const refused = deleteAccount(database(), ann.id, { ...ann, confirm: ann.email });
      await expect(refused).rejects.toMatchObject({
        code: "CONFLICT",
        message: "You are the only owner of Acme. Make another member an owner, or delete it first",
      });
      const workspaceIds = (await personOf(ann.id))?.workspaces.map(({ id }) => id);
      expect(workspaceIds?.sort()).toEqual([alone, busy].sort());
    },
  );

  test("is not the end of two owners at once", async () => {
    const users = [await someone(), await someone()];
    const id = await workspaceOf(...users.map((user) => [user.id, "owner"] as [string, "owner"]));
    await insertApp(database(), id, { name: "Fitness", sandbox: true });
    const ends = users.map((user) => deleteAccount(database(), user.id, { ...user, confirm: user.email }));
    const ended = await Promise.allSettled(ends);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const left = await database().orm.select().from(memberships).where(eq(memberships.workspaceId, id));
    expect(left).toHaveLength(1);
  });

  test("leaves a workspace whose first other member joins at the same time", async () => {
    const [ann, bob] = [await someone(), await someone()];
    const id = await workspaceOf([ann.id, "owner"]);
    let deletion: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await lockWorkspace(tx, id);
      await addMember(tx, { workspaceId: id, userId: bob.id, role: "admin" });
      deletion = deleteAccount(database(), ann.id, { ...ann, confirm: ann.email }).catch(({ code }) => code);
      await blockedBackends();
    });
    expect(await deletion).toBe("CONFLICT");
    expect((await personOf(bob.id))?.workspaces).toMatchObject([{ id, role: "admin" }]);
  });

  test("does not come after a new password, by a thief who was under way with the old one", async () => {
    const ann = await someone();
    let deletion: Promise<unknown> | undefined;
    await database().transaction(async (tx) => {
      await updatePassword(tx, ann.id, { ...ann, newPassword });
      deletion = deleteAccount(database(), ann.id, { ...ann, confirm: ann.email }).catch(({ code }) => code);
      await blockedBackends();
    });
    expect(await deletion).toBe("UNAUTHORIZED");
    expect(await personOf(ann.id, 2)).toBeDefined();
  });

  test("wants the address typed and the password", async () => {
    const ann = await someone();
    const untyped = deleteAccount(database(), ann.id, { ...ann, confirm: "ann" });
    await expect(untyped).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "confirm" });
    const wrong = deleteAccount(database(), ann.id, { ...ann, confirm: ann.email, password: undefined });
    await expect(wrong).rejects.toMatchObject({ code: "UNAUTHORIZED", field: "password" });
    expect(await personOf(ann.id)).toBeDefined();
  });
});
