"use server";

import { z } from "zod";
import { chosenRows } from "@/lib/contract/bulk";
import { inApp, uuidField } from "@/lib/contract/fields";
import { REFERRER_STATUSES } from "@/lib/contract/referrer-list";
import { metacodeState, updateMetacode } from "@/lib/program/referrers/metacode";
import { notesInput, updateReferrerNotes, updateReferrerStatus } from "@/lib/program/referrers/update";
import { restoreReward, rewardInput, withdrawReward } from "@/lib/program/rewards/by-hand";
import { goodwillInput, grantGoodwillReward } from "@/lib/program/rewards/goodwill";
import { dashboardAction, dashboardQuery } from "@/lib/web/session/action";
import { applyToEach } from "@/lib/web/session/bulk";

const referrer = { ...inApp, referrerId: uuidField("referrerId") };

const status = z.object({ ...referrer, status: z.enum(REFERRER_STATUSES) });

export const updateStatusAction = dashboardAction("member", status, (ctx, input) =>
  updateReferrerStatus(ctx, input.referrerId, input.status),
);

const chosenStatus = z.object({ ...inApp, ...chosenRows, status: z.enum(["active", "paused"]) });

export const updateManyStatusAction = dashboardAction("member", chosenStatus, (ctx, { ids, status: to }) =>
  applyToEach(ids, (id) => updateReferrerStatus(ctx, id, to)),
);

const metacode = z.object({ ...referrer, metacode: z.string({ error: "metacode is required" }) });

export const updateMetacodeAction = dashboardAction("member", metacode, (ctx, input) =>
  updateMetacode(ctx, input.referrerId, input.metacode),
);

export const checkMetacodeAction = dashboardQuery("member", metacode, (ctx, input) =>
  metacodeState(ctx, input.metacode, input.referrerId),
);

export const goodwillAction = dashboardAction("member", goodwillInput.extend(referrer), grantGoodwillReward);

export const withdrawRewardAction = dashboardAction("support", rewardInput.extend(inApp), withdrawReward);

export const restoreRewardAction = dashboardAction("support", rewardInput.extend(inApp), restoreReward);

export const updateNotesAction = dashboardAction("support", notesInput.extend(referrer), updateReferrerNotes);
