"use server";

import { redirect } from "next/navigation";
import { acceptInput, acceptInvitation } from "@/lib/invitations/accept";
import { personAction } from "@/lib/session/action";
import { actorOf } from "@/lib/session/context";

export const acceptAction = personAction(acceptInput, async (db, person, input) => {
  const invitee = { actor: await actorOf(person), email: person.email };
  const { workspaceId } = await acceptInvitation(db, invitee, input);
  redirect(`/dashboard/workspaces/${workspaceId}`);
});
