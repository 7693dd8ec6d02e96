"use server";

import { redirect } from "next/navigation";
import { listAppNames } from "@/lib/tenants/apps/list";
import { acceptInput, acceptInvitation } from "@/lib/tenants/invitations/accept";
import { formAction, joinAction, plainAction } from "@/lib/web/session/action";
import { signOut } from "@/lib/web/session/sign-in";

export const acceptAction = joinAction(acceptInput, async (db, invitee, input) => {
  const { workspaceId } = await acceptInvitation(db, invitee, input);
  const apps = await listAppNames(db, [workspaceId]);
  const live = apps.filter(({ sandbox }) => !sandbox);
  const [only, ...others] = live.length > 0 ? live : apps;
  redirect(only && others.length === 0 ? `/dashboard/apps/${only.id}` : "/dashboard");
});

const signingOut = formAction(acceptInput, async ({ token }) => {
  await signOut();
  redirect(`/invite/${token}`);
});

/** Signs out of an account that the invitation is not for, and returns to the invitation. */
export const leaveAccountAction = plainAction(signingOut);
