import { notFound } from "next/navigation";
import { cache } from "react";
import { AppError } from "@/lib/platform/errors";
import { getCampaign } from "@/lib/program/campaigns/read";
import { appContext } from "@/lib/web/session/context";

const read = cache(async (appId: string, campaignId: string) => {
  const context = await appContext(appId);
  const campaign = await getCampaign(context.ctx, campaignId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { ...context, campaign };
});

/** The context of a campaign's page, read once per request. A campaign of another app is not found. */
export const campaignContext = ({ appId, campaignId }: { appId: string; campaignId: string }) =>
  read(appId, campaignId);
