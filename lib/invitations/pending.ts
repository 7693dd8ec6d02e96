import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import { invitations } from "@/lib/db/schema";

/** Invitations of the workspace that were neither accepted nor withdrawn; they may have expired. */
export function pending({ workspace }: Pick<WorkspaceContext, "workspace">): SQL | undefined {
  return and(
    eq(invitations.workspaceId, workspace.id),
    isNull(invitations.acceptedAt),
    isNull(invitations.withdrawnAt),
  );
}
