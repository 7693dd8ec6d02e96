import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { ROLES, type Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { auditLog, emails, invitations } from "@/lib/platform/db/schema";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { TEAM_MAX } from "@/lib/tenants/workspaces/lock";
import { listMembers } from "@/lib/tenants/workspaces/members";
import { later, stopClock } from "@/lib/testing/clock";
import { useService } from "@/lib/testing/service";
import { joinAs, makeAccount, makeWorkspace } from "@/lib/testing/workspace";
import { acceptInvitation } from "./accept";
import { createInvitation } from "./create";
import { findWorkspaceInvitation, listInvitations } from "./invitation";
import { renewInvitation, withdrawInvitation } from "./renew";

useService({ APP_URL: "https://metacode.example" });

const LINK = /^https:\/\/metacode\.example\/invite\/([\w-]{43})$/;

let owner: WorkspaceContext;
beforeEach(async () => {
  owner = (await makeWorkspace()).workspaceContext;
});

const tokenOf = (url: string | null) => LINK.exec(url ?? "")?.[1] ?? "";
const invite = async (role: Role = "member") => tokenOf((await createInvitation(owner, { role })).url);

async function guest() {
  const { id, email } = await makeAccount("Bob");
  return { email, actor: { kind: "user", id, name: "Bob", address: "192.0.2.9" } as const };
}

const accept = async (token: string, invitee?: Awaited<ReturnType<typeof guest>>) =>
  acceptInvitation(database(), invitee ?? (await guest()), { token });

/** Lets seconds pass for the invitations of the workspace. */
const wait = (seconds: number) =>
  database()
    .orm.update(invitations)
    .set({ expiresAt: later(invitations.expiresAt, -seconds) })
    .where(eq(invitations.workspaceId, owner.workspace.id));

/** Resolves when the given number of statements wait for a lock. */
async function waitForLocks(count: number): Promise<void> {
  const waiting = sql`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  for (;;) {
    const { rows } = await database().orm.execute<{ n: number }>(waiting);
    if (rows[0]?.n === count) return;
  }
}

async function mailedTo(email: string) {
  const sent = await database().orm.select().from(emails).where(eq(emails.recipient, email));
  return sent.map(({ text }) => /\/invite\/([\w-]{43})/.exec(text)?.[1] ?? "");
}

describe("a link", () => {
  test("makes a member with its role, and is recorded with both users", async () => {
    const bob = await guest();
    expect(await accept(await invite("viewer"), bob)).toEqual({ workspaceId: owner.workspace.id });
    const team = await listMembers(owner);
    expect(team.find(({ id }) => id === bob.actor.id)).toMatchObject({ name: "Bob", role: "viewer" });
    const log = database().orm.select().from(auditLog).where(eq(auditLog.workspaceId, owner.workspace.id));
    expect((await log).map(({ action, actorName }) => [action, actorName]).sort()).toEqual([
      ["invitation.accepted", "Bob"],
      ["invitation.created", "Ann"],
    ]);
  });

  test("is shown once: neither the database, the list nor the log knows it", async () => {
    const token = await invite();
    const rows = await database()
      .orm.select()
      .from(invitations)
      .where(eq(invitations.workspaceId, owner.workspace.id));
    const log = await database().orm.select().from(auditLog);
    const stored = JSON.stringify([rows, log, await listInvitations(owner)]);
    expect(stored).not.toContain(token);
    expect(rows[0]?.tokenHash).toHaveLength(32);
  });

  test("works once, however many accept it at the same time", async () => {
    const token = await invite();
    const guests = await Promise.all(Array.from({ length: 6 }, guest));
    // The lock lets all of them read the invitation before the first can accept it.
    const hold = await database().pool.connect();
    await hold.query("begin");
    await hold.query("select id from workspaces where id = $1 for update", [owner.workspace.id]);
    const taking = Promise.allSettled(guests.map((invitee) => accept(token, invitee)));
    await waitForLocks(guests.length);
    await hold.query("rollback");
    hold.release();
    const went = (await taking).map(({ status }) => status === "fulfilled");
    expect(went.filter(Boolean)).toHaveLength(1);
    expect(await accept(token, guests[went.indexOf(true)])).toEqual({ workspaceId: owner.workspace.id });
    expect(await listMembers(owner)).toHaveLength(2);
    await expect(accept(token)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await findWorkspaceInvitation(token))?.state).toBe("accepted");
  });

  test.each([-8, 8])(
    "works for 7 days of the database's clock, also in a process %s days beside it",
    async (days) => {
      onTestFinished(() => void vi.useRealTimers());
      const right = [await invite(), await invite()];
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY_MS });
      const wrong = [await invite(), await invite()];
      await wait(7 * 86_400 - 60);
      await accept(right[0] ?? "");
      vi.useRealTimers();
      await accept(wrong[0] ?? "");
      await wait(60);
      const refused = { message: expect.stringContaining("expired") };
      await expect(accept(wrong[1] ?? "")).rejects.toMatchObject(refused);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY_MS });
      await expect(accept(right[1] ?? "")).rejects.toMatchObject(refused);
      expect((await findWorkspaceInvitation(right[1] ?? ""))?.state).toBe("expired");
      expect((await listInvitations(owner)).map(({ expired }) => expired)).toEqual([true, true]);
    },
  );

  test("never changes the role of a member, and is not used up by that", async () => {
    const viewer = await joinAs(owner.workspace.id, "viewer");
    const token = await invite("admin");
    const own = acceptInvitation(database(), { actor: viewer.actor, email: "x" }, { token });
    await expect(own).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await findWorkspaceInvitation(token))?.state).toBe("open");
    const team = await listMembers(owner);
    expect(team.find(({ id }) => id === viewer.actor.id)?.role).toBe("viewer");
  });

  test.each(["", "x", "a".repeat(43)])("of an invalid form leads nowhere: %j", async (token) => {
    expect(await findWorkspaceInvitation(token)).toBeUndefined();
    await expect(accept(token)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("is worthless once it was withdrawn", async () => {
    const token = await invite();
    const [waiting] = await listInvitations(owner);
    await withdrawInvitation(owner, { invitationId: waiting?.id ?? "" });
    await expect(accept(token)).rejects.toMatchObject({ message: expect.stringContaining("withdrawn") });
    const again = withdrawInvitation(owner, { invitationId: waiting?.id ?? "" });
    await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("renewed, ends the old link", async () => {
    const old = await invite();
    const [waiting] = await listInvitations(owner);
    const next = await renewInvitation(owner, { invitationId: waiting?.id ?? "" });
    await expect(accept(old)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await accept(tokenOf(next.url));
  });
});

describe("an emailed invitation", () => {
  test("goes to its address only, and shows the inviter no link", async () => {
    const bob = await guest();
    const made = await createInvitation(owner, { role: "member", email: ` ${bob.email.toUpperCase()} ` });
    expect(made).toMatchObject({ email: bob.email, url: null, place: "log" });
    const [token = ""] = await mailedTo(bob.email);
    await expect(accept(token)).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect((await findWorkspaceInvitation(token))?.state).toBe("open");
    await accept(token, bob);
  });

  test("is sent again at most once a minute, with another link", async () => {
    const bob = await guest();
    const { id: invitationId } = await createInvitation(owner, { role: "member", email: bob.email });
    const soon = renewInvitation(owner, { invitationId });
    await expect(soon).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfter: expect.any(Number) });
    await wait(60);
    await renewInvitation(owner, { invitationId });
    const [first = "", second = ""] = await mailedTo(bob.email);
    await expect(accept(first, bob)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await accept(second, bob);
  });

  test("is refused for a member, an invited address and an invalid one", async () => {
    const bob = await guest();
    await createInvitation(owner, { role: "member", email: bob.email });
    const [me] = await listMembers(owner);
    for (const email of [bob.email, me?.email ?? ""]) {
      const again = createInvitation(owner, { role: "member", email });
      await expect(again).rejects.toMatchObject({ code: "CONFLICT", field: "email" });
    }
    const none = createInvitation(owner, { role: "member", email: "bob" });
    await expect(none).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "email" });
    expect(await mailedTo(bob.email)).toHaveLength(1);
  });

  test("cannot be used to email a stranger repeatedly: withdrawn and repeated invitations count as well", async () => {
    stopClock();
    const { email } = await makeAccount("Bob");
    for (let sent = 0; sent < 5; sent++) {
      const { id: invitationId } = await createInvitation(owner, { role: "member", email });
      await withdrawInvitation(owner, { invitationId });
    }
    const sixth = createInvitation(owner, { role: "member", email });
    await expect(sixth).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await mailedTo(email)).toHaveLength(5);
    expect(await listInvitations(owner)).toEqual([]);
    const { email: other } = await makeAccount("Cora");
    await createInvitation(owner, { role: "member", email: other });
  });
});

describe("the inviter", () => {
  test.each(ROLES)("is an admin or owner, to a %s", async (role) => {
    const admin = await joinAs(owner.workspace.id, "admin");
    const attempt = createInvitation(admin, { role });
    if (role === "owner") await expect(attempt).rejects.toMatchObject({ code: "FORBIDDEN" });
    else await attempt;
    const { id: invitationId } = await createInvitation(owner, { role });
    const renewed = renewInvitation(admin, { invitationId });
    if (role === "owner") {
      await expect(renewed).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(withdrawInvitation(admin, { invitationId })).rejects.toMatchObject({ code: "FORBIDDEN" });
    } else {
      await renewed;
      await withdrawInvitation(admin, { invitationId });
    }
    const member = createInvitation(await joinAs(owner.workspace.id, "member"), { role });
    await expect(member).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("cannot change another workspace's invitations", async () => {
    const { id: invitationId } = await createInvitation(owner, { role: "viewer" });
    const other = (await makeWorkspace()).workspaceContext;
    for (const ask of [renewInvitation, withdrawInvitation])
      await expect(ask(other, { invitationId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listInvitations(other)).toEqual([]);
  });

  test("is refused above the maximum of members and invitations", async () => {
    const row = { workspaceId: owner.workspace.id, role: "viewer", invitedBy: owner.actor.id } as const;
    const rows = Array.from({ length: TEAM_MAX - 2 }, () => ({
      ...row,
      id: crypto.randomUUID(),
      tokenHash: Buffer.from(crypto.randomUUID()),
      expiresAt: new Date(Date.now() + 1_000_000),
    }));
    await database().orm.insert(invitations).values(rows);
    await createInvitation(owner, { role: "viewer" });
    const full = createInvitation(owner, { role: "viewer" });
    await expect(full).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
