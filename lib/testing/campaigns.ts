import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { type CampaignRulesInput, createCampaignForm, updateCampaignForm } from "@/lib/contract/campaign";
import { campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { parseInput } from "@/lib/platform/parse-input";
import { createFromForm, updateFromForm } from "@/lib/program/campaigns/form";
import type { Context } from "@/lib/tenants/context";
import type { Tenant } from "@/lib/testing/tenant";
import { readForm } from "@/lib/web/session/form";

/** Another active campaign with the platforms and pools of the tenant's campaign, inserted directly. */
export async function copyCampaign(
  { ctx, campaignId }: Tenant,
  values: Partial<typeof campaigns.$inferInsert> = {},
): Promise<string> {
  const { orm } = ctx.db;
  const id = uuidv7();
  const row = { type: "referral", name: "Next", status: "active", activatedAt: new Date() } as const;
  await orm.insert(campaigns).values({ ...row, appId: ctx.app.id, id, ...values });
  const platforms = await orm
    .select()
    .from(campaignPlatforms)
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.campaignId, campaignId)));
  await orm.insert(campaignPlatforms).values(platforms.map((platform) => ({ ...platform, campaignId: id })));
  return id;
}

type Fields = Record<string, string>;

/** Fields by their names, as the browser sends them. */
function sent(fields: Fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return readForm(form);
}

function textsOf(prefix: string, values: object): [string, string][] {
  return Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null || value === false) return [];
    const text = value instanceof Date ? value.toISOString() : String(value);
    return [[`${prefix}${name}`, value === true ? "on" : text]];
  });
}

/** The fields of a campaign's form for these rules. */
export function fieldsOf({ platforms, ...rules }: CampaignRulesInput): Fields {
  const ofPlatforms = Object.entries(platforms).flatMap(([platform, values]) =>
    values ? textsOf(`platforms.${platform}.`, { on: true, ...values }) : [],
  );
  return Object.fromEntries([...textsOf("", rules), ...ofPlatforms]);
}

/** Sends the form of a new campaign. */
export const sendNewCampaign = (ctx: Context, fields: Fields) =>
  createFromForm(ctx, parseInput(createCampaignForm, sent({ appId: ctx.app.id, ...fields })));

/** Sends the form of a campaign's rules. */
export const sendCampaign = (ctx: Context, campaignId: string, fields: Fields) =>
  updateFromForm(ctx, parseInput(updateCampaignForm, sent({ appId: ctx.app.id, campaignId, ...fields })));

/** Updates a campaign as the dashboard does, and agrees to the given number of due rewards. */
export const updateCampaign = (ctx: Context, campaignId: string, rules: CampaignRulesInput, agreed = 0) =>
  sendCampaign(ctx, campaignId, { ...fieldsOf(rules), agreed: String(agreed) });
