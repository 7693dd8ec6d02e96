"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { activateCampaign } from "@/lib/campaigns/activate";
import { duplicateCampaign } from "@/lib/campaigns/duplicate";
import { endCampaign } from "@/lib/campaigns/end";
import { pauseCampaign } from "@/lib/campaigns/pause";
import { resumeCampaign } from "@/lib/campaigns/resume";
import { createFromForm, updateFromForm } from "@/lib/campaigns/save-form";
import { changedCampaignForm, newCampaignForm } from "@/lib/contract/campaign-form";
import { uuidField } from "@/lib/contract/uuid";
import { dashboardAction } from "@/lib/session/action";

const one = z.object({
  appId: z.uuid({ error: "appId must be a UUID" }),
  campaignId: uuidField("campaignId"),
});

/** With the active campaign that is paused to make room. */
const starting = one.extend({ replacing: uuidField("replacing").optional() });

const pageOf = (appId: string, campaignId: string) => `/dashboard/apps/${appId}/campaigns/${campaignId}`;

export const createCampaignAction = dashboardAction("member", newCampaignForm, async (ctx, form) => {
  const { id } = await createFromForm(ctx, form);
  redirect(pageOf(form.appId, id));
});

export const updateCampaignAction = dashboardAction("member", changedCampaignForm, updateFromForm);

export const activateCampaignAction = dashboardAction("member", starting, (ctx, { campaignId, replacing }) =>
  activateCampaign(ctx, campaignId, replacing),
);

export const resumeCampaignAction = dashboardAction("member", starting, (ctx, { campaignId, replacing }) =>
  resumeCampaign(ctx, campaignId, replacing),
);

export const pauseCampaignAction = dashboardAction("member", one, (ctx, { campaignId }) =>
  pauseCampaign(ctx, campaignId),
);

export const endCampaignAction = dashboardAction("member", one, (ctx, { campaignId }) =>
  endCampaign(ctx, campaignId),
);

export const duplicateCampaignAction = dashboardAction("member", one, async (ctx, { appId, campaignId }) => {
  const { id } = await duplicateCampaign(ctx, campaignId);
  redirect(`${pageOf(appId, id)}/edit`);
});
