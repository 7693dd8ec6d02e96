import { and, eq, ne } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { type CampaignInput, campaignInput } from "@/lib/contract/campaign";
import { MAX_NAME } from "@/lib/contract/fields";
import { formatNumber } from "@/lib/contract/format";
import { campaigns } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { checkPools, replacePlatforms } from "./platforms";
import { getCampaign } from "./read";
import { auditedRules, rulesOf } from "./rules";

const SUFFIX = " (copy)";

/** Maximum campaigns of an app that have not ended. */
const MAX_CAMPAIGNS = 1_000;

/** Creates a campaign as a draft. Throws VALIDATION_ERROR, and CONFLICT above {@link MAX_CAMPAIGNS}. */
export async function createCampaign(ctx: Context, input: CampaignInput): Promise<{ id: string }> {
  const { platforms, ...rules } = parseInput(campaignInput, input);
  const id = uuidv7();
  await ctx.db.transaction(async (db) => {
    await checkPools({ ...ctx, db }, platforms);
    const open = and(eq(campaigns.appId, ctx.app.id), ne(campaigns.status, "ended"));
    if ((await db.orm.$count(campaigns, open)) >= MAX_CAMPAIGNS)
      fail("CONFLICT", `An app can have at most ${formatNumber(MAX_CAMPAIGNS)} campaigns. End one first`);
    await db.orm.insert(campaigns).values({ ...rules, appId: ctx.app.id, id, status: "draft" });
    await replacePlatforms(db, ctx.app.id, id, platforms);
    await recordAudit(db, ctx, {
      action: "campaign.created",
      subject: "campaign",
      subjectId: id,
      subjectName: rules.name,
      after: { type: rules.type, ...auditedRules(await getCampaign({ ...ctx, db }, id)) },
    });
  });
  return { id };
}

/** Creates a draft with the rules of another campaign, but without its dates, which may have passed. Throws NOT_FOUND. */
export async function duplicateCampaign(ctx: Context, campaignId: string): Promise<{ id: string }> {
  const rules = rulesOf(await getCampaign(ctx, campaignId));
  const name = [...rules.name].slice(0, MAX_NAME - SUFFIX.length).join("");
  return createCampaign(ctx, { ...rules, name: `${name.trimEnd()}${SUFFIX}`, startsAt: null, endsAt: null });
}
