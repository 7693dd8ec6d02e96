import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
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
