import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { invitations } from "@/lib/platform/db/schema";
import { sweepAccounts } from "@/lib/program/retention/sweep-global";
import { deleteAccount } from "@/lib/tenants/account-settings/delete-account";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { acceptInvitation } from "@/lib/tenants/invitations/accept";
import { createInvitation } from "@/lib/tenants/invitations/create";
import { findWorkspaceInvitation } from "@/lib/tenants/invitations/invitation";
import { createWorkspace } from "@/lib/tenants/workspaces/create";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeAccount, makeWorkspace } from "@/lib/testing/workspace";

useService();

test("no workspace falls to an account that is being deleted: it counts on its owners", async () => {
  const { workspaceContext } = await makeWorkspace();
  const { url } = await createInvitation(workspaceContext, { role: "owner" });
  const token = url?.split("/").at(-1) ?? "";
  const { id, email } = await makeAccount("Bob");
  const actor = { kind: "user", id, name: "Bob", address: "192.0.2.9" } as const;
  const hold = await database().pool.connect();
  await hold.query("begin");
  await hold.query("delete from users where id = $1", [id]);
  const accepting = acceptInvitation(database(), { actor, email }, { token });
  const refused = expect(accepting).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await Promise.race([blockedBackends(), accepting]);
  await hold.query("commit");
  hold.release();
  await refused;
  expect((await findWorkspaceInvitation(token))?.state).toBe("open");
  await expect(createWorkspace(database(), actor, { name: "Ghosts" })).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });
});

test("an invitation is deleted with the account of its address, and otherwise 30 days after its end", async () => {
  const { workspaceContext } = await makeWorkspace();
  const ann = { email: "ann@invited.example", name: "Ann", password: "correct horse" };
  const { id } = await createUser(database(), ann);
  for (const email of [ann.email, "bob@invited.example"])
    await createInvitation(workspaceContext, { role: "viewer", email });
  const ofWorkspace = eq(invitations.workspaceId, workspaceContext.workspace.id);
  const left = () => database().orm.$count(invitations, ofWorkspace);
  await deleteAccount(database(), id, { ...ann, confirm: ann.email, address: "192.0.2.9" });
  expect(await left()).toBe(1);
  const days = (count: number) => new Date(Date.now() + count * DAY_MS);
  await sweepAccounts(database(), days(36));
  expect(await left()).toBe(1);
  await sweepAccounts(database(), days(38));
  expect(await left()).toBe(0);
});
