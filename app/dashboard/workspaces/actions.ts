"use server";

import { redirect } from "next/navigation";
import { createWorkspace, newWorkspaceInput } from "@/lib/tenants/workspaces/create";
import { joinAction } from "@/lib/web/session/action";

export const createWorkspaceAction = joinAction(newWorkspaceInput, async (db, { actor }, input) => {
  const { id } = await createWorkspace(db, actor, input);
  redirect(`/dashboard/workspaces/${id}`);
});
