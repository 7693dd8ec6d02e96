"use server";

import { redirect } from "next/navigation";
import { inApp } from "@/lib/contract/fields";
import { fail } from "@/lib/platform/errors";
import { replaceCode, replaceCodeInput } from "@/lib/program/codes/replace";
import { revealCode, revealCodeInput } from "@/lib/program/codes/reveal";
import {
  linkConfirmation,
  linkInput,
  unlinkConfirmation,
  unlinkInput,
} from "@/lib/program/confirmations/resolve";
import { byHandInput, confirmByHand, releaseRedemption } from "@/lib/program/referrals/by-hand";
import {
  restoreInput,
  restoreReferral,
  reverseInput,
  reverseReferral,
} from "@/lib/program/referrals/reverse";
import { dashboardAction } from "@/lib/web/session/action";

export const replaceCodeAction = dashboardAction("support", replaceCodeInput.extend(inApp), replaceCode);

export const revealCodeAction = dashboardAction("admin", revealCodeInput.extend(inApp), revealCode);

export const reverseReferralAction = dashboardAction("support", reverseInput.extend(inApp), reverseReferral);

export const restoreReferralAction = dashboardAction("support", restoreInput.extend(inApp), restoreReferral);

export const confirmByHandAction = dashboardAction("support", byHandInput.extend(inApp), confirmByHand);

export const releaseAction = dashboardAction(
  "support",
  byHandInput.extend(inApp),
  async (ctx, { appId, ...input }) => {
    const { refereeUid } = await releaseRedemption(ctx, input);
    // The referral's page no longer exists; the person's page shows the undone step.
    redirect(`/dashboard/apps/${appId}/people?uid=${encodeURIComponent(refereeUid)}`);
  },
);

export const unlinkEventAction = dashboardAction("support", unlinkInput.extend(inApp), unlinkConfirmation);

export const linkEventAction = dashboardAction("support", linkInput.extend(inApp), async (ctx, input) => {
  const { status } = await linkConfirmation(ctx, input);
  if (status === "unmatched") fail("CONFLICT", "The event does not fit the state of this referral");
  return { status };
});
