import { and, eq, sql } from "drizzle-orm";
import { type CampaignRulesInput, campaignRules } from "@/lib/contract/campaign";
import type { DueRewards, RulesUpdate } from "@/lib/contract/campaign-view";
import { PLATFORMS } from "@/lib/contract/format";
import { keysOf } from "@/lib/contract/pick";
import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import { campaigns, referrerProgress } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { COMMIT_S } from "@/lib/platform/jobs/rounds";
import { parseInput } from "@/lib/platform/parse-input";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { changedPlatforms, findDueRewards } from "./granting";
import { refuseTransition, requireStoreIds } from "./lifecycle";
import { checkPools, replacePlatforms } from "./platforms";
import { getCampaign } from "./read";
import { auditedRules, flatRules } from "./rules";

const COUNT_BUDGET = sqlFunction("count_budget", {
  app: "uuid",
  campaign: "uuid",
  again: "int?",
}).returns<void>();

/**
 * Counts what a campaign has spent, in the transaction that stores its budgets. Without a budget nothing was counted, so
 * redeems and claims under way are missing; the first one after they have ended counts again.
 */
const countBudget = (ctx: Context, campaignId: string): Promise<void> =>
  ctx.db.call(COUNT_BUDGET, { app: ctx.app.id, campaign: campaignId, again: COMMIT_S });

/** How many more rewards a budget pays, by the progress: without a budget nothing was counted. Null without a budget. */
async function budgetLeft({ app, db }: Context, id: string, budget: number | null): Promise<number | null> {
  if (budget === null) return null;
  const { appId, campaignId, claimed } = referrerProgress;
  const spent = sql<number>`coalesce(sum(${claimed}), 0)::int`;
  const ofCampaign = and(eq(appId, app.id), eq(campaignId, id));
  const [row] = await db.orm.select({ spent }).from(referrerProgress).where(ofCampaign);
  return Math.max(0, budget - (row?.spent ?? 0));
}

const sum = (due: DueRewards[]) => due.reduce((total, { rewards }) => total + rewards, 0);

/**
 * Replaces a campaign's rules, whatever its status, unless that makes more than `agreed` rewards due. After the commit the
 * caller grants them and looks after the line. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT once the campaign has ended, and for a
 * change that would undo another one.
 */
export async function updateRules(
  ctx: Context,
  id: string,
  input: CampaignRulesInput,
  agreed: number,
): Promise<RulesUpdate> {
  const rules = parseInput(campaignRules, input);
  const update = await ctx.db.transaction(async (db) => {
    await checkPools({ ...ctx, db }, rules.platforms);
    return replaceRules({ ...ctx, db }, id, rules, agreed);
  });
  return update ?? refuseTransition(ctx, id, "changed");
}

async function replaceRules(
  ctx: Context,
  id: string,
  { platforms, ...rules }: ReturnType<typeof campaignRules.parse>,
  agreed: number,
): Promise<RulesUpdate | undefined> {
  const { db } = ctx;
  const sameCampaign = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id));
  // The lock keeps two updates from mixing their platforms.
  const [row] = await db.orm
    .select({ status: campaigns.status })
    .from(campaigns)
    .where(sameCampaign)
    .for("update");
  if (!row || row.status === "ended") return undefined;
  const before = await getCampaign(ctx, id);
  await refuseUndoing(ctx, id, auditedRules(before), flatRules({ ...rules, platforms }));
  const { endsAt } = rules;
  const isPast = endsAt && Number(endsAt) <= databaseNow() && endsAt.getTime() !== before.endsAt?.getTime();
  if (isPast && row.status !== "draft")
    fail("VALIDATION_ERROR", "The end has passed. To end the campaign now, choose End", { field: "endsAt" });
  const budget = await budgetLeft(ctx, id, rules.rewardBudget);
  const due = await findDueRewards(ctx, { ...before, ...rules }, platforms, budget);
  if (sum(due) > agreed) return { saved: false, due };
  await db.orm.update(campaigns).set(rules).where(sameCampaign);
  if (rules.codeBudget !== null || rules.rewardBudget !== null) await countBudget(ctx, id);
  // Even if nothing is due yet: a confirmation under way may make a reward due without knowing the new rule.
  const granting = new Set(keysOf(changedPlatforms(before, platforms)));
  await replacePlatforms(db, ctx.app.id, id, platforms, granting);
  const runsOn = new Set(before.platforms.map(({ platform }) => platform));
  const isMore = PLATFORMS.some((platform) => platforms[platform] && !runsOn.has(platform));
  if (isMore && row.status !== "draft") await requireStoreIds(ctx, id);
  const changes = changesOf(auditedRules(before), auditedRules(await getCampaign(ctx, id)));
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
