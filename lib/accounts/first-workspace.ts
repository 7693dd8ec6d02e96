import type { Db } from "@/lib/db/client";
import { openWorkspace } from "@/lib/workspaces/open";

/** A workspace of their own for somebody who has just arrived; its name can be changed. */
export async function openFirstWorkspace(
  db: Db,
  person: { id: string; name: string; address: string },
): Promise<void> {
  const { id, name, address } = person;
  const first = [...name].slice(0, 60).join("").trim();
  await openWorkspace(db, { kind: "user", id, name, address }, { name: `${first}'s workspace` });
}
