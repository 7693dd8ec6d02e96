import { and, eq, inArray, lte, ne, sql } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import { sqlState, UNIQUE_VIOLATION } from "@/lib/platform/db/outage";
import { apps, campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { endLine, renewReservations, setAsideFor, takeExpiringBack } from "@/lib/program/line/line";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { emitEvent } from "@/lib/tenants/events/emit";

const END_PAUSED = sqlFunction("end_paused", { app: "uuid" }).returns<void>();

type Status = (typeof campaigns.$inferSelect)["status"];

interface Transition {
  from: Status[];
  to: Status;
  /** Past participle for the refusal and the audit log: "cannot be <done>". */
  done: keyof typeof ACTIONS;
  event?: "campaign.activated" | "campaign.ended";
  /** The active campaign that is paused in the same transaction. */
  replacing?: string | undefined;
}

const ACTIONS = {
  activated: "campaign.activated",
  paused: "campaign.paused",
  resumed: "campaign.resumed",
  ended: "campaign.ended",
} as const;

const PAUSE: Transition = { from: ["active"], to: "paused", done: "paused" };

/**
 * Activates a draft; `replacing` names the active campaign to pause with it. Throws CONFLICT with the name of the
 * app's other active referral campaign; VALIDATION_ERROR if the app has no store id for one of the platforms. A draft has no
 * line yet, so no codes are set aside for it.
 */
export async function activateCampaign(ctx: Context, campaignId: string, replacing?: string): Promise<void> {
  await moveCampaign(ctx, campaignId, {
    from: ["draft"],
    to: "active",
    done: "activated",
    event: "campaign.activated",
    replacing,
  });
}

/** Pauses an active campaign. Throws CONFLICT unless it is active. */
export async function pauseCampaign(ctx: Context, campaignId: string): Promise<void> {
  await moveCampaign(ctx, campaignId, PAUSE);
}

/**
 * Activates a paused campaign again; `replacing` names the active campaign to pause with it. Throws CONFLICT if
 * another referral campaign of the app has become active.
 */
export async function resumeCampaign(ctx: Context, campaignId: string, replacing?: string): Promise<void> {
  await moveCampaign(ctx, campaignId, { from: ["paused"], to: "active", done: "resumed", replacing });
  await takeExpiringBack(ctx, null);
  await setAsideFor(ctx, campaignId);
}

/** Ends a campaign permanently. Throws CONFLICT if it has ended already. */
export async function endCampaign(ctx: Context, campaignId: string): Promise<void> {
  await moveCampaign(ctx, campaignId, {
    from: ["draft", "active", "paused"],
    to: "ended",
    done: "ended",
    event: "campaign.ended",
  });
}

/** Ids of the apps with a campaign that is due to end, along campaigns_ends. */
export const APPS_WITH_DUE_CAMPAIGNS = sql`
  select app_id from campaigns where status in ('active', 'paused') and ends_at is not null and ends_at <= now()`;

/**
 * Ends an app's campaigns whose end date has passed, each with its event and its audit entry. Row locks admit one
 * process; an end date that was moved meanwhile is seen under the lock.
 */
export async function endDueCampaigns(ctx: Context): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const due = await db.orm
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(
        and(
          eq(campaigns.appId, ctx.app.id),
          inArray(campaigns.status, ["active", "paused"]),
          lte(campaigns.endsAt, sql`now()`),
        ),
      )
      .for("update", { skipLocked: true });
    for (const { id } of due) await endCampaign({ ...ctx, db }, id);
  });
}

/** Throws the reason why a campaign was not changed: NOT_FOUND, or CONFLICT with its status. */
export async function refuseTransition(ctx: Context, id: string, done: string): Promise<never> {
  const [row] = await ctx.db.orm
    .select({ name: campaigns.name, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id)));
  if (!row) return fail("NOT_FOUND", "There is no such campaign");
  const state = row.status === "draft" ? "still a draft" : row.status;
  return fail("CONFLICT", `“${row.name}” is ${state} and cannot be ${done}`);
}

/**
 * Requires the store id of each platform of a campaign, because codes would otherwise come with a link that leads nowhere.
 * Locks the ids until the transaction ends. Throws VALIDATION_ERROR.
 */
export async function requireStoreIds(ctx: Context, campaignId: string): Promise<void> {
  const rows = await ctx.db.orm
    .select({ platform: campaignPlatforms.platform, apple: apps.appleAppId, android: apps.androidPackage })
    .from(campaignPlatforms)
    .innerJoin(apps, eq(apps.id, campaignPlatforms.appId))
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.campaignId, campaignId)))
    .for("share", { of: apps });
  for (const { platform, apple, android } of rows) {
    if (platform === "ios" && !apple) {
      fail("VALIDATION_ERROR", "Set the app's Apple app ID before a campaign runs on iOS", {
        field: "appleAppId",
      });
    }
    if (platform === "android" && !android) {
      fail("VALIDATION_ERROR", "Set the app's Android package before a campaign runs on Android", {
        field: "androidPackage",
      });
    }
  }
}

/**
 * Moves a locked campaign to its next status, with event and audit entry in the same transaction. The unique index on
 * active referral campaigns decides races.
 */
async function moveCampaign(ctx: Context, id: string, move: Transition): Promise<void> {
  const moved = await ctx.db
    .transaction((db) => tryMove({ ...ctx, db }, id, move))
    .catch((error: unknown) => {
      if (sqlState(error) === UNIQUE_VIOLATION) return refuseSecond("the other one");
      throw error;
    });
  if (!moved) await refuseTransition(ctx, id, move.done);
}

async function tryMove(ctx: Context, id: string, move: Transition): Promise<boolean> {
  const { orm } = ctx.db;
  const sameCampaign = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id));
  // Locks both in the order of lock_budgets, so that they cannot deadlock with it.
  const both = and(eq(campaigns.appId, ctx.app.id), inArray(campaigns.id, [id, move.replacing ?? id]));
  const locked = await orm.select().from(campaigns).where(both).orderBy(campaigns.id).for("update");
  const before = locked.find((campaign) => campaign.id === id);
  if (!before || !move.from.includes(before.status)) return false;
  if (move.to === "active" && before.endsAt && Number(before.endsAt) <= databaseNow())
    fail("CONFLICT", `The end of “${before.name}” has passed. Change its end first`);
  if (move.done === "activated") await requireStoreIds(ctx, id);
  // A campaign that was paused meanwhile is not an obstacle.
  if (move.replacing) await tryMove(ctx, move.replacing, PAUSE);
  if (move.to === "active" && before.type === "referral") await requireNoOtherActive(ctx);
  const at = (done: Transition["done"]) => (move.done === done ? sql`now()` : undefined);
  const moved = { status: move.to, activatedAt: at("activated"), resumedAt: at("resumed") };
  await orm.update(campaigns).set(moved).where(sameCampaign);
  if (move.to === "ended") {
    // A campaign ended early ends now, as its dates and the chart say; one that has not begun cannot end before its start.
    const begun = and(sameCampaign, sql`(${campaigns.startsAt} >= now()) is not true`);
    const endsAt = sql`least(${campaigns.endsAt}, now())`;
    await orm.update(campaigns).set({ endsAt }).where(begun);
    await endLine(ctx, id);
  }
  if (move.done === "resumed") await renewReservations(ctx, { campaign: id });
  if (move.to === "active" && before.type === "referral") await ctx.db.call(END_PAUSED, { app: ctx.app.id });
  await recordMove(ctx, before, move);
  return true;
}

async function recordMove(ctx: Context, before: typeof campaigns.$inferSelect, move: Transition) {
  const { id, name, type, status } = before;
  if (move.event) await emitEvent(ctx, move.event, { campaign_id: id, name, type });
  await recordAudit(ctx.db, ctx, {
    action: ACTIONS[move.done],
    subject: "campaign",
    subjectId: id,
    subjectName: name,
    before: { status },
    after: { status: move.to },
  });
}

/** The app's active referral campaign, leaving out one of them. */
export async function findActiveReferralCampaign(ctx: Context, exceptId?: string) {
  const [active] = await ctx.db.orm
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.appId, ctx.app.id),
        eq(campaigns.type, "referral"),
        eq(campaigns.status, "active"),
        exceptId ? ne(campaigns.id, exceptId) : undefined,
      ),
    );
  return active;
}

/** When each of these campaigns may assign codes. Those past their end or without budget left are missing. */
export async function openCampaigns(ctx: Context, ids: string[]) {
  const { appId, id, status, startsAt, endsAt, codeBudget, spentCodes } = campaigns;
  const when = sql<"now" | "started" | "resumed">`
    case when ${status} <> 'active' then 'resumed' when ${startsAt} > now() then 'started' else 'now' end`;
  const isOpen = sql`coalesce(${spentCodes} < ${codeBudget}, true) and coalesce(${endsAt} > now(), true)`;
  const rows = await ctx.db.orm
    .select({ id, when })
    .from(campaigns)
    .where(and(eq(appId, ctx.app.id), inArray(id, ids), ne(status, "ended"), isOpen));
  return new Map(rows.map((row) => [row.id, row.when]));
}

/**
 * Tells where ordinary metacodes lead instead of these campaigns, on a platform: to the active referral campaign, unless it
 * is the same one, has not begun, or has spent its budget. An influencer's metacode stays with its campaign.
 */
export async function successorsOf({ app, db }: Context, ids: readonly string[]) {
  const { rows } = await db.orm.execute<{ id: string; platform: Platform; successor: string }>(sql`
    select c.id, p.platform, n.id as successor
      from campaigns c
      join campaigns n on n.app_id = c.app_id and n.id <> c.id and n.type = 'referral' and n.status = 'active'
       and coalesce(n.starts_at <= now(), true) and coalesce(n.ends_at > now(), true)
       and coalesce(n.spent_codes < n.code_budget, true)
      join campaign_platforms p on p.app_id = n.app_id and p.campaign_id = n.id
     where c.app_id = ${app.id} and c.type = 'referral' and c.id = any(${sql.param(ids)}::uuid[])`);
  return (of: { campaignId: string; platform: Platform }) =>
    rows.find(({ id, platform }) => id === of.campaignId && platform === of.platform)?.successor;
}

/** Names the other campaign before the index refuses, because that error would abort the surrounding transaction. */
async function requireNoOtherActive(ctx: Context): Promise<void> {
  const active = await findActiveReferralCampaign(ctx);
  if (active) refuseSecond(`“${active.name}”`);
}

function refuseSecond(name: string): never {
  fail("CONFLICT", `Only one referral campaign can be active: choose to pause ${name}, or end it first`);
}
