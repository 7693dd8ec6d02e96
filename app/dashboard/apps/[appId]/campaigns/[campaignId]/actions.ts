"use server";

import { z } from "zod";
import { grantInput, influencerInput, influencerProfile } from "@/lib/contract/influencer";
import { vanityField } from "@/lib/contract/metacode";
import { uuidField } from "@/lib/contract/uuid";
import { wholeText } from "@/lib/contract/whole";
import { changeInfluencer } from "@/lib/referrers/change-influencer";
import { createInfluencer } from "@/lib/referrers/create-influencer";
import { metacodeState } from "@/lib/referrers/metacode-state";
import { setReferrerStatus } from "@/lib/referrers/set-status";
import { grantRewards } from "@/lib/rewards/grant";
import { handOutRewards } from "@/lib/rewards/hand-out";
import { dashboardAction, dashboardQuery } from "@/lib/session/action";

const inApp = { appId: z.uuid({ error: "appId must be a UUID" }) };
const one = z.object({ ...inApp, referrerId: uuidField("referrerId") });

export const createInfluencerAction = dashboardAction(
  "member",
  influencerInput.omit({ metadata: true }).extend(inApp),
  (ctx, { appId: _, ...input }) => createInfluencer(ctx, input),
);

export const changeInfluencerAction = dashboardAction(
  "member",
  influencerProfile.extend({ ...inApp, metacode: vanityField }),
  (ctx, { appId: _, ...input }) => changeInfluencer(ctx, input),
);

export const setInfluencerStatusAction = dashboardAction(
  "member",
  one.extend({ status: z.enum(["active", "paused", "ended"], { error: "status must be one of the three" }) }),
  (ctx, { referrerId, status }) => setReferrerStatus(ctx, referrerId, status),
);

export const grantRewardsAction = dashboardAction(
  "admin",
  grantInput.extend({ ...inApp, rewards: wholeText("rewards", 1, 100) }),
  (ctx, { appId: _, ...input }) => grantRewards(ctx, input),
);

export const handOutRewardsAction = dashboardAction("admin", one, (ctx, { referrerId }) =>
  handOutRewards(ctx, referrerId),
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
