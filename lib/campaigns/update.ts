import { and, eq } from "drizzle-orm";
import { changesOf } from "@/lib/audit/changes";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type CampaignRules, campaignRules } from "@/lib/contract/campaign";
import type { DueRewards } from "@/lib/contract/due-rewards";
import { campaigns } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { rulesOf } from "./audited";
import { dueRewards } from "./due-rewards";
import { getCampaign } from "./get";
import { grantDue } from "./grant-due";
import { grantRest } from "./grant-rest";
import { checkPools, replacePlatforms } from "./platforms";
import { refuseTransition } from "./transition";

/** Chunks that are granted before the answer; the rest of a large app is granted behind it. */
const AT_ONCE = 5;

export interface Updated {
  /** False: nothing was changed, because more rewards would become due than were agreed to. */
  saved: boolean;
  /** What the change makes due, by platform. */
  due: DueRewards[];
}

const sum = (due: DueRewards[]) => due.reduce((total, { rewards }) => total + rewards, 0);

/**
 * Replaces a campaign's rules, whether it runs or not. Rewards that they make due are granted, but never more than
 * `agreed`: then it answers with what would be due and changes nothing. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT
 * once the campaign has ended.
 */
export async function updateCampaign(
  ctx: Context,
  id: string,
  input: CampaignRules,
  agreed = 0,
): Promise<Updated> {
  const updated = await changeRules(ctx, id, input, agreed);
  await grantAfter(ctx, id, updated);
  return updated;
}

/** The change without the granting, for a transaction around it; {@link grantAfter} goes on once that is committed. */
export async function changeRules(
  ctx: Context,
  id: string,
  input: CampaignRules,
  agreed: number,
): Promise<Updated> {
  const rules = parseInput(campaignRules, input);
  await checkPools(ctx, rules.platforms);
  const updated = await ctx.db.transaction((db) => replaceRules({ ...ctx, db }, id, rules, agreed));
  return updated ?? refuseTransition(ctx, id, "changed");
}

/** Grants what a saved change made due: the first chunks now, the rest behind the answer. */
export async function grantAfter(ctx: Context, id: string, { saved, due }: Updated): Promise<void> {
  for (const { platform } of saved ? due : []) {
    const { done } = await grantDue(ctx.db, ctx.app.id, id, platform, AT_ONCE);
    if (!done) grantRest(ctx.app.id, id, platform);
  }
}

async function replaceRules(
  ctx: Context,
  id: string,
  { platforms, startsAt = null, endsAt = null, ...rules }: ReturnType<typeof campaignRules.parse>,
  agreed: number,
): Promise<Updated | undefined> {
  const { db } = ctx;
  const one = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id));
  // The lock keeps two changes from mixing their platforms.
  const [row] = await db.orm.select({ status: campaigns.status }).from(campaigns).where(one).for("update");
  if (!row || row.status === "ended") return undefined;
  const before = await getCampaign(ctx, id);
  const due = await dueRewards(ctx, { ...before, safetyMarginHours: rules.safetyMarginHours }, platforms);
  if (sum(due) > agreed) return { saved: false, due };
  await db.orm
    .update(campaigns)
    .set({ ...rules, startsAt, endsAt })
    .where(one);
  await replacePlatforms(db, ctx.app.id, id, platforms, new Set(due.map(({ platform }) => platform)));
  const changes = changesOf(rulesOf(before), rulesOf(await getCampaign(ctx, id)));
  await recordAudit(db, ctx, {
    action: "campaign.changed",
    subject: "campaign",
    subjectId: id,
    subjectName: before.name,
    before: changes.before,
    after: { ...changes.after, ...(due.length > 0 && { rewardsDue: sum(due) }) },
  });
  return { saved: true, due };
}
