import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { uuidField } from "@/lib/contract/uuid";
import { fail } from "@/lib/errors";
import { setRole } from "./change-role";
import { requireName } from "./confirm-name";
import { findMember, memberSubject } from "./find-member";
import { changeTeam } from "./lock";

export const transferInput = z.object({
  userId: uuidField("userId"),
  confirm: z.string({ error: "Type the name of the workspace" }),
});

/**
 * Makes somebody of the workspace its owner and the one who asks an admin, in one step. `confirm` is the workspace's
 * name as typed. Throws VALIDATION_ERROR, NOT_FOUND, and CONFLICT for an owner already.
 */
export function transferOwnership(
  ctx: WorkspaceContext,
  { userId, confirm }: z.output<typeof transferInput>,
): Promise<void> {
  return changeTeam(ctx, "owner", async (own) => {
    requireName(own, confirm);
    const member = await findMember(own, userId);
    if (member.role === "owner") fail("CONFLICT", `${member.name} owns the workspace already`);
    await setRole(own, userId, "owner");
    await setRole(own, own.actor.id, "admin");
    await recordAudit(own.db, own, {
      action: "workspace.transferred",
      ...memberSubject(member),
      before: { owner: own.actor.name, role: member.role },
      after: { owner: member.name, role: "owner" },
    });
  });
}
