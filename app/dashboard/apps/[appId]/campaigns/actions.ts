"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { chosenRows } from "@/lib/contract/bulk";
import { createCampaignForm, updateCampaignForm } from "@/lib/contract/campaign";
import { FROM_START, startPath } from "@/lib/contract/checklist";
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
import { applyToEach } from "@/lib/web/session/bulk";

const campaign = z.object({ ...inApp, campaignId: uuidField("campaignId") });

const chosen = z.object({ ...inApp, ...chosenRows });

/** The campaign to start, with the active one to pause, because only one can be active. */
const starting = campaign.extend({ replacing: uuidField("replacing").optional() });

const pageOf = (appId: string, campaignId: string) => `/dashboard/apps/${appId}/campaigns/${campaignId}`;

const newCampaign = createCampaignForm.extend({ from: z.literal(FROM_START).optional() });

export const createCampaignAction = dashboardAction("member", newCampaign, async (ctx, { from, ...form }) => {
  const { id } = await createFromForm(ctx, form);
  // A draft needs further steps before it can run, which its page lists.
  redirect(from && form.start ? startPath(form.appId) : pageOf(form.appId, id));
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

export const pauseManyAction = dashboardAction("member", chosen, (ctx, { ids }) =>
  applyToEach(ids, (id) => pauseCampaign(ctx, id)),
);

export const endManyAction = dashboardAction("member", chosen, (ctx, { ids }) =>
  applyToEach(ids, (id) => endCampaign(ctx, id)),
);

export const duplicateCampaignAction = dashboardAction(
  "member",
  campaign,
  async (ctx, { appId, campaignId }) => {
    const { id } = await duplicateCampaign(ctx, campaignId);
    redirect(`${pageOf(appId, id)}/edit`);
  },
);
