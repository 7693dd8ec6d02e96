"use server";

import { z } from "zod";
import { REFERRER_STATUSES } from "@/lib/contract/referrer-list";
import { uuidField } from "@/lib/contract/uuid";
import { metacodeState } from "@/lib/referrers/metacode-state";
import { setMetacode } from "@/lib/referrers/set-metacode";
import { notesInput, setReferrerNotes } from "@/lib/referrers/set-notes";
import { setReferrerStatus } from "@/lib/referrers/set-status";
import { dashboardAction, dashboardQuery } from "@/lib/session/action";

const one = { appId: uuidField("appId"), referrerId: uuidField("referrerId") };

const status = z.object({ ...one, status: z.enum(REFERRER_STATUSES) });

export const setStatusAction = dashboardAction("member", status, (ctx, input) =>
  setReferrerStatus(ctx, input.referrerId, input.status),
);

const metacode = z.object({ ...one, metacode: z.string({ error: "metacode is required" }) });

export const setMetacodeAction = dashboardAction("member", metacode, (ctx, input) =>
  setMetacode(ctx, input.referrerId, input.metacode),
);

export const checkMetacodeAction = dashboardQuery("member", metacode, (ctx, input) =>
  metacodeState(ctx, input.metacode, input.referrerId),
);

export const setNotesAction = dashboardAction("member", notesInput.extend(one), setReferrerNotes);
