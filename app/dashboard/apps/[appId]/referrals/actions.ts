"use server";

import { z } from "zod";
import { chosenRows } from "@/lib/contract/bulk";
import { inApp } from "@/lib/contract/fields";
import { reviewQuery } from "@/lib/contract/referral-list";
import { byHandInput, releaseRedemption } from "@/lib/program/referrals/by-hand";
import {
  restoreInput,
  restoreReferral,
  reverseInput,
  reverseReferral,
} from "@/lib/program/referrals/reverse";
import { approveReferee, dismissReferee } from "@/lib/program/referrals/review";
import { dashboardAction } from "@/lib/web/session/action";
import { applyToEach } from "@/lib/web/session/bulk";

const chosen = { ...inApp, ...chosenRows };

export const reverseManyAction = dashboardAction(
  "support",
  reverseInput.omit({ referralId: true }).extend(chosen),
  (ctx, { ids, ...input }) =>
    applyToEach(ids, (referralId) => reverseReferral(ctx, { referralId, ...input })),
);

export const restoreManyAction = dashboardAction(
  "support",
  restoreInput.omit({ referralId: true }).extend(chosen),
  (ctx, { ids, reason }) => applyToEach(ids, (referralId) => restoreReferral(ctx, { referralId, reason })),
);

export const releaseManyAction = dashboardAction(
  "support",
  byHandInput.omit({ referralId: true }).extend(chosen),
  (ctx, { ids, reason }) => applyToEach(ids, (referralId) => releaseRedemption(ctx, { referralId, reason })),
);

const approved = z.object({ ...chosen, state: reviewQuery.shape.state });

export const approveManyAction = dashboardAction("support", approved, (ctx, { ids, state }) =>
  applyToEach(ids, (id) => approveReferee(ctx, id, state ?? "review")),
);

export const dismissManyAction = dashboardAction("support", z.object(chosen), (ctx, { ids }) =>
  applyToEach(ids, (id) => dismissReferee(ctx, id)),
);
