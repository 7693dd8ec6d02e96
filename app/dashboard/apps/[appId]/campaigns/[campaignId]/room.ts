import { notFound } from "next/navigation";
import { cache } from "react";
import { getCampaign } from "@/lib/campaigns/get";
import { AppError } from "@/lib/errors";
import { personContext } from "@/lib/session/context";

const read = cache(async (appId: string, campaignId: string) => {
  const room = await personContext(appId);
  const campaign = await getCampaign(room.ctx, campaignId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { ...room, campaign };
});

/** The room of a campaign's page; another app's campaign is a missing page. Read once a request. */
export const campaignRoom = ({ appId, campaignId }: { appId: string; campaignId: string }) =>
  read(appId, campaignId);
