"use server";

import { z } from "zod";
import { inApp, uidField, uuidField } from "@/lib/contract/fields";
import { fail } from "@/lib/platform/errors";
import { replaceCode, replaceCodeInput } from "@/lib/program/codes/replace";
import { revealCode, revealCodeInput } from "@/lib/program/codes/reveal";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import {
  restoreInput,
  restoreReferral,
  reverseInput,
  reverseReferral,
} from "@/lib/program/referrals/reverse";
import { dashboardAction } from "@/lib/web/session/action";

export const replaceCodeAction = dashboardAction("member", replaceCodeInput.extend(inApp), replaceCode);

export const revealCodeAction = dashboardAction("admin", revealCodeInput.extend(inApp), revealCode);

export const reverseReferralAction = dashboardAction("member", reverseInput.extend(inApp), reverseReferral);

export const restoreReferralAction = dashboardAction("member", restoreInput.extend(inApp), restoreReferral);

const link = z.object({ ...inApp, eventId: uuidField("eventId"), uid: uidField("uid") });

export const linkEventAction = dashboardAction("member", link, async (ctx, { eventId, uid }) => {
  const linked = await linkConfirmation(ctx, eventId, uid);
  if (linked.status === "unmatched") fail("CONFLICT", "The event does not fit the state of this referral");
  return { status: linked.status };
});
