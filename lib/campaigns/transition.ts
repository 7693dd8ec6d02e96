import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { sqlState } from "@/lib/db/outage";
import { campaigns } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

type Status = (typeof campaigns.$inferSelect)["status"];

interface Transition {
  from: Status[];
  to: Status;
  /** Past participle for the refusal: "cannot be <done>". */
  done: string;
  event?: "campaign.activated" | "campaign.ended";
}

const UNIQUE_VIOLATION = "23505";

/**
 * Moves a campaign in one guarded update, its event in the same transaction. The unique index on active referral
 * campaigns decides races. Throws NOT_FOUND, or CONFLICT with the reason.
 */
export async function moveCampaign(ctx: Context, id: string, move: Transition): Promise<void> {
  const moved = await tryMove(ctx, id, move).catch((error: unknown) => {
    if (sqlState(error) === UNIQUE_VIOLATION) return refuseSecond(ctx);
    throw error;
  });
  if (!moved) await refuseTransition(ctx, id, move.done);
}

function tryMove(ctx: Context, id: string, { from, to, event }: Transition): Promise<boolean> {
  return ctx.db.transaction(async (db) => {
    const activatedAt = to === "active" ? sql`coalesce(${campaigns.activatedAt}, now())` : undefined;
    const [row] = await db.orm
      .update(campaigns)
      .set({ status: to, ...(activatedAt && { activatedAt }) })
      .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id), inArray(campaigns.status, from)))
      .returning({ name: campaigns.name, type: campaigns.type });
    if (row && event) {
      await db.call("emit", [ctx.app.id, event, { campaign_id: id, name: row.name, type: row.type }]);
    }
    return row !== undefined;
  });
}

async function refuseSecond(ctx: Context): Promise<never> {
  const [active] = await ctx.db.orm
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(
      and(eq(campaigns.appId, ctx.app.id), eq(campaigns.type, "referral"), eq(campaigns.status, "active")),
    );
  const name = active ? `"${active.name}"` : "another one";
  return fail("CONFLICT", `Only one referral campaign of an app can be active: pause or end ${name} first`);
}

/** Throws the reason why nothing was changed. */
export async function refuseTransition(ctx: Context, id: string, done: string): Promise<never> {
  const [row] = await ctx.db.orm
    .select({ name: campaigns.name, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id)));
  if (!row) return fail("NOT_FOUND", "There is no such campaign");
  const state = row.status === "draft" ? "still a draft" : row.status;
  return fail("CONFLICT", `"${row.name}" is ${state} and cannot be ${done}`);
}
