"use server";

import { z } from "zod";
import { uuidField } from "@/lib/contract/fields";
import { REFERRER_STATUSES } from "@/lib/contract/referrer-list";
import { metacodeState, updateMetacode } from "@/lib/program/referrers/metacode";
import { notesInput, updateReferrerNotes, updateReferrerStatus } from "@/lib/program/referrers/update";
import { goodwillInput, grantGoodwillReward } from "@/lib/program/rewards/goodwill";
import { dashboardAction, dashboardQuery } from "@/lib/web/session/action";

const referrer = { appId: uuidField("appId"), referrerId: uuidField("referrerId") };

const status = z.object({ ...referrer, status: z.enum(REFERRER_STATUSES) });

export const updateStatusAction = dashboardAction("member", status, (ctx, input) =>
  updateReferrerStatus(ctx, input.referrerId, input.status),
);

const metacode = z.object({ ...referrer, metacode: z.string({ error: "metacode is required" }) });

export const updateMetacodeAction = dashboardAction("member", metacode, (ctx, input) =>
  updateMetacode(ctx, input.referrerId, input.metacode),
);

export const checkMetacodeAction = dashboardQuery("member", metacode, (ctx, input) =>
  metacodeState(ctx, input.metacode, input.referrerId),
);

export const goodwillAction = dashboardAction("member", goodwillInput.extend(referrer), grantGoodwillReward);

export const updateNotesAction = dashboardAction("support", notesInput.extend(referrer), updateReferrerNotes);
