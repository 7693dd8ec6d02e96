"use server";

import { redirect } from "next/navigation";
import { createWorkspace, newWorkspaceInput } from "@/lib/tenants/workspaces/create";
import { userAction } from "@/lib/web/session/action";
import { actorOf } from "@/lib/web/session/context";

export const createWorkspaceAction = userAction(newWorkspaceInput, async (db, user, input) => {
  const { id } = await createWorkspace(db, await actorOf(user), input);
  redirect(`/dashboard/workspaces/${id}`);
});
