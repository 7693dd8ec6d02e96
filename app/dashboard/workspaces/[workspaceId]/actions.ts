"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { uuidField } from "@/lib/contract/uuid";
import { createInvitation, inviteInput } from "@/lib/invitations/create";
import { invitationInput, renewInvitation } from "@/lib/invitations/renew";
import { withdrawInvitation } from "@/lib/invitations/withdraw";
import { workspaceAction } from "@/lib/session/action";
import { changeRole, changeRoleInput } from "@/lib/workspaces/change-role";
import { deleteWorkspace, deleteWorkspaceInput } from "@/lib/workspaces/delete";
import { leaveWorkspace, removeMember, removeMemberInput } from "@/lib/workspaces/remove-member";
import { renameInput, renameWorkspace } from "@/lib/workspaces/rename";
import { transferInput, transferOwnership } from "@/lib/workspaces/transfer";

const inWorkspace = { workspaceId: uuidField("workspaceId") };

const invite = inviteInput
  .extend({ ...inWorkspace, by: z.enum(["mail", "link"]) })
  .refine(({ by, email }) => by === "link" || email !== undefined, {
    path: ["email"],
    error: "Enter the e-mail address to invite",
  });

export const inviteAction = workspaceAction("admin", invite, (ctx, { by, role, email }) =>
  createInvitation(ctx, by === "mail" ? { role, email } : { role }),
);

export const renewAction = workspaceAction("admin", invitationInput.extend(inWorkspace), renewInvitation);

export const withdrawAction = workspaceAction(
  "admin",
  invitationInput.extend(inWorkspace),
  withdrawInvitation,
);

export const changeRoleAction = workspaceAction("admin", changeRoleInput.extend(inWorkspace), changeRole);

export const removeMemberAction = workspaceAction(
  "admin",
  removeMemberInput.extend(inWorkspace),
  removeMember,
);

export const renameAction = workspaceAction("admin", renameInput.extend(inWorkspace), renameWorkspace);

export const transferAction = workspaceAction("owner", transferInput.extend(inWorkspace), transferOwnership);

export const leaveAction = workspaceAction("viewer", z.object(inWorkspace), async (ctx) => {
  await leaveWorkspace(ctx);
  redirect("/dashboard");
});

export const deleteWorkspaceAction = workspaceAction(
  "owner",
  deleteWorkspaceInput.extend(inWorkspace),
  async (ctx, input) => {
    await deleteWorkspace(ctx, input);
    redirect("/dashboard");
  },
);
