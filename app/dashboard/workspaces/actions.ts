"use server";

import { redirect } from "next/navigation";
import { personAction } from "@/lib/session/action";
import { actorOf } from "@/lib/session/context";
import { openWorkspace, openWorkspaceInput } from "@/lib/workspaces/open";

export const openWorkspaceAction = personAction(openWorkspaceInput, async (db, person, input) => {
  const { id } = await openWorkspace(db, await actorOf(person), input);
  redirect(`/dashboard/workspaces/${id}`);
});
