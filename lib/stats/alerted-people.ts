import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { memberships, users } from "@/lib/db/schema";

/** The addresses that hear of an app's trouble: the owners and admins of its workspace who proved theirs. */
export async function alertedPeople(ctx: Pick<Context, "db" | "workspace">): Promise<string[]> {
  const rows = await ctx.db.orm
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.workspaceId, ctx.workspace.id),
        inArray(memberships.role, ["owner", "admin"]),
        isNotNull(users.emailVerifiedAt),
      ),
    );
  return rows.map(({ email }) => email);
}
