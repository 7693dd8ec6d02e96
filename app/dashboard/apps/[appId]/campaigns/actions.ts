"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { createCampaignForm, updateCampaignForm } from "@/lib/contract/campaign";
import { inApp, uuidField } from "@/lib/contract/fields";
import { duplicateCampaign } from "@/lib/program/campaigns/create";
import { createFromForm, updateFromForm } from "@/lib/program/campaigns/form";
import {
  activateCampaign,
  endCampaign,
  pauseCampaign,
  resumeCampaign,
} from "@/lib/program/campaigns/lifecycle";
import { dashboardAction } from "@/lib/web/session/action";

const campaign = z.object({ ...inApp, campaignId: uuidField("campaignId") });

/** With the active campaign to pause, because only one can be active. */
const starting = campaign.extend({ replacing: uuidField("replacing").optional() });

const pageOf = (appId: string, campaignId: string) => `/dashboard/apps/${appId}/campaigns/${campaignId}`;

export const createCampaignAction = dashboardAction("member", createCampaignForm, async (ctx, form) => {
  const { id } = await createFromForm(ctx, form);
  redirect(pageOf(form.appId, id));
});

export const updateCampaignAction = dashboardAction("member", updateCampaignForm, updateFromForm);

export const activateCampaignAction = dashboardAction("member", starting, (ctx, { campaignId, replacing }) =>
  activateCampaign(ctx, campaignId, replacing),
);

export const resumeCampaignAction = dashboardAction("member", starting, (ctx, { campaignId, replacing }) =>
  resumeCampaign(ctx, campaignId, replacing),
);

export const pauseCampaignAction = dashboardAction("member", campaign, (ctx, { campaignId }) =>
  pauseCampaign(ctx, campaignId),
);

export const endCampaignAction = dashboardAction("member", campaign, (ctx, { campaignId }) =>
  endCampaign(ctx, campaignId),
);

export const duplicateCampaignAction = dashboardAction(
  "member",
  campaign,
  async (ctx, { appId, campaignId }) => {
    const { id } = await duplicateCampaign(ctx, campaignId);
    redirect(`${pageOf(appId, id)}/edit`);
  },
);
