"use server";

import { z } from "zod";
import { inApp, uuidField, vanityField, wholeText } from "@/lib/contract/fields";
import { grantInput, influencerInput, influencerProfile } from "@/lib/contract/influencer";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { metacodeState } from "@/lib/program/referrers/metacode";
import { updateInfluencer, updateReferrerStatus } from "@/lib/program/referrers/update";
import { claimForInfluencer, grantRewards } from "@/lib/program/rewards/by-hand";
import { dashboardAction, dashboardQuery } from "@/lib/web/session/action";

const referrer = z.object({ ...inApp, referrerId: uuidField("referrerId") });

export const createInfluencerAction = dashboardAction(
  "member",
  influencerInput.omit({ metadata: true }).extend(inApp),
  (ctx, { appId: _, ...input }) => createInfluencer(ctx, input),
);

export const updateInfluencerAction = dashboardAction(
  "member",
  influencerProfile.extend({ ...inApp, metacode: vanityField }),
  (ctx, { appId: _, ...input }) => updateInfluencer(ctx, input),
);

export const updateInfluencerStatusAction = dashboardAction(
  "member",
  referrer.extend({
    status: z.enum(["active", "paused", "ended"], { error: "status must be active, paused or ended" }),
  }),
  (ctx, { referrerId, status }) => updateReferrerStatus(ctx, referrerId, status),
);

export const grantRewardsAction = dashboardAction(
  "admin",
  grantInput.extend({ ...inApp, rewards: wholeText("rewards", 1, 100) }),
  (ctx, { appId: _, ...input }) => grantRewards(ctx, input),
);

export const claimForInfluencerAction = dashboardAction("admin", referrer, (ctx, { referrerId }) =>
  claimForInfluencer(ctx, referrerId),
);

export const metacodeStateQuery = dashboardQuery(
  "member",
  z.object({
    ...inApp,
    metacode: z.string({ error: "metacode is required" }),
    referrerId: uuidField("referrerId").optional(),
  }),
  (ctx, { metacode, referrerId }) => metacodeState(ctx, metacode, referrerId),
);
