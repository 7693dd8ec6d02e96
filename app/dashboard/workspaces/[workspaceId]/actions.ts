"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { uuidField } from "@/lib/contract/fields";
import { createInvitation, inviteInput } from "@/lib/tenants/invitations/create";
import { invitationInput, renewInvitation, withdrawInvitation } from "@/lib/tenants/invitations/renew";
import { deleteWorkspace, deleteWorkspaceInput } from "@/lib/tenants/workspaces/delete";
import { leaveWorkspace, removeMember, removeMemberInput } from "@/lib/tenants/workspaces/remove-member";
import { updateWorkspaceName, workspaceNameInput } from "@/lib/tenants/workspaces/update";
import {
  transferInput,
  transferOwnership,
  updateRole,
  updateRoleInput,
} from "@/lib/tenants/workspaces/update-role";
import { workspaceAction } from "@/lib/web/session/action";

const inWorkspace = { workspaceId: uuidField("workspaceId") };

const invite = inviteInput
  .extend({ ...inWorkspace, by: z.enum(["mail", "link"]) })
  .refine(({ by, email }) => by === "link" || email !== undefined, {
    path: ["email"],
    error: "Enter the email address to invite",
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

export const updateRoleAction = workspaceAction("admin", updateRoleInput.extend(inWorkspace), updateRole);

export const removeMemberAction = workspaceAction(
  "admin",
  removeMemberInput.extend(inWorkspace),
  removeMember,
);

export const updateWorkspaceNameAction = workspaceAction(
  "admin",
  workspaceNameInput.extend(inWorkspace),
  updateWorkspaceName,
);

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
