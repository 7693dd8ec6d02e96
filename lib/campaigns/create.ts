import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { type CampaignInput, campaignInput } from "@/lib/contract/campaign";
import { campaigns } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { rulesOf } from "./audited";
import { getCampaign } from "./get";
import { checkPools, replacePlatforms } from "./platforms";

/** Makes a campaign as a draft. Throws VALIDATION_ERROR. */
export async function createCampaign(ctx: Context, input: CampaignInput): Promise<{ id: string }> {
  const { platforms, ...rules } = parseInput(campaignInput, input);
  await checkPools(ctx, platforms);
  const id = uuidv7();
  await ctx.db.transaction(async (db) => {
    await db.orm.insert(campaigns).values({ ...rules, appId: ctx.app.id, id, status: "draft" });
    await replacePlatforms(db, ctx.app.id, id, platforms);
    const after = rulesOf(await getCampaign({ ...ctx, db }, id));
    const subject = { subject: "campaign", subjectId: id, subjectName: rules.name };
    await recordAudit(db, ctx, {
      action: "campaign.created",
      ...subject,
      after: { type: rules.type, ...after },
    });
  });
  return { id };
}
