import { expect, test } from "vitest";
import { database } from "@/lib/db/client";
import { acceptInvitation } from "@/lib/invitations/accept";
import { createInvitation } from "@/lib/invitations/create";
import { lookUpInvitation } from "@/lib/invitations/look-up";
import { blockedBackends } from "@/lib/testing/locks";
import { makeAccount, makeOffice } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";
import { openWorkspace } from "@/lib/workspaces/open";

useService();

test("no workspace falls to an account that is being deleted: it counts on its owners", async () => {
  const { office } = await makeOffice();
  const { url } = await createInvitation(office, { role: "owner" });
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
  expect((await lookUpInvitation(token))?.state).toBe("open");
  await expect(openWorkspace(database(), actor, { name: "Ghosts" })).rejects.toMatchObject({
    code: "UNAUTHORIZED",
  });
});
