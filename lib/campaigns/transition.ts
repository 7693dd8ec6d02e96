import { and, eq, sql } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { sqlState } from "@/lib/db/outage";
import { campaigns } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

type Status = (typeof campaigns.$inferSelect)["status"];

interface Transition {
  from: Status[];
  to: Status;
  /** Past participle for the refusal and the audit log: "cannot be <done>". */
  done: string;
  event?: "campaign.activated" | "campaign.ended";
  /** The active campaign that is paused in the same transaction, to make room. */
  replacing?: string | undefined;
}

const UNIQUE_VIOLATION = "23505";
const PAUSE: Transition = { from: ["active"], to: "paused", done: "paused" };

/**
 * Moves a campaign from the state it is locked in, its event and its line of the audit log in the same transaction. The
 * unique index on active referral campaigns decides races. Throws NOT_FOUND, or CONFLICT with the reason.
 */
export async function moveCampaign(ctx: Context, id: string, move: Transition): Promise<void> {
  const moved = await ctx.db
    .transaction((db) => tryMove({ ...ctx, db }, id, move))
    .catch((error: unknown) => {
      if (sqlState(error) === UNIQUE_VIOLATION) return refuseSecond("the other one");
      throw error;
    });
  if (!moved) await refuseTransition(ctx, id, move.done);
}

async function tryMove(ctx: Context, id: string, move: Transition): Promise<boolean> {
  const one = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id));
  const [before] = await ctx.db.orm.select().from(campaigns).where(one).for("update");
  if (!before || !move.from.includes(before.status)) return false;
  // One that somebody else has paused meanwhile makes room as well.
  if (move.replacing) await tryMove(ctx, move.replacing, PAUSE);
  if (move.to === "active" && before.type === "referral") await requireRoom(ctx);
  const activatedAt = move.to === "active" ? sql`coalesce(${campaigns.activatedAt}, now())` : undefined;
  await ctx.db.orm
    .update(campaigns)
    .set({ status: move.to, ...(activatedAt && { activatedAt }) })
    .where(one);
  await tell(ctx.db, ctx, before, move);
  return true;
}

async function tell(db: Db, ctx: Context, before: typeof campaigns.$inferSelect, move: Transition) {
  const { id, name, type, status } = before;
  if (move.event) await db.call("emit", [ctx.app.id, move.event, { campaign_id: id, name, type }]);
  await recordAudit(db, ctx, {
    action: `campaign.${move.done}`,
    subject: "campaign",
    subjectId: id,
    subjectName: name,
    before: { status },
    after: { status: move.to },
  });
}

/** Refuses with the name of what is in the way, before the index does: its error would end a transaction around. */
async function requireRoom(ctx: Context): Promise<void> {
  const [active] = await ctx.db.orm
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(
      and(eq(campaigns.appId, ctx.app.id), eq(campaigns.type, "referral"), eq(campaigns.status, "active")),
    );
  if (active) refuseSecond(`"${active.name}"`);
}

function refuseSecond(name: string): never {
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
