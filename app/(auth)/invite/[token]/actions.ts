"use server";

import { redirect } from "next/navigation";
import { acceptInput, acceptInvitation } from "@/lib/tenants/invitations/accept";
import { userAction } from "@/lib/web/session/action";
import { actorOf } from "@/lib/web/session/context";

export const acceptAction = userAction(acceptInput, async (db, user, input) => {
  const invitee = { actor: await actorOf(user), email: user.email };
  const { workspaceId } = await acceptInvitation(db, invitee, input);
  redirect(`/dashboard/workspaces/${workspaceId}`);
});
