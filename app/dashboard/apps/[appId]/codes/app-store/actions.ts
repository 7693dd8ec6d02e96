"use server";

import { z } from "zod";
import {
  codeRequestInput,
  MAX_CODES,
  MAX_DAYS,
  MIN_CODES,
  refillInput,
  STORE_LIMIT,
  storeKeyInput,
} from "@/lib/contract/code-request";
import { inApp, uuidField, wholeText } from "@/lib/contract/fields";
import { AppError } from "@/lib/platform/errors";
import { refreshOffers } from "@/lib/program/app-store-connect/refresh-offers";
import { deleteStoreKey, findStoreKeyView, updateStoreKey } from "@/lib/program/app-store-connect/store-key";
import { createCodeRequest, giveUpCodeRequest } from "@/lib/program/code-requests/create";
import {
  deleteRefillRule,
  disableRefill,
  enableRefill,
  updateRefillRule,
} from "@/lib/program/code-requests/refill-rules";
import { dashboardAction } from "@/lib/web/session/action";

const appForm = z.object(inApp);
const poolForm = z.object({ ...inApp, poolId: uuidField("poolId") });
const offer = z.string({ error: "offer is required: refresh the offers first" });

/** Stores a key even when Apple rejects it: the page shows the reason, and accepting a new agreement may be enough. */
export const updateKeyAction = dashboardAction(
  "admin",
  storeKeyInput.extend(inApp),
  async (ctx, { appId, ...key }) => {
    await updateStoreKey(ctx, key);
    const trouble = await refreshOffers(ctx).then(
      () => null,
      (error: unknown) => (error instanceof AppError ? error.message : Promise.reject(error)),
    );
    return { trouble: (await findStoreKeyView(ctx))?.trouble ?? trouble };
  },
);

export const deleteKeyAction = dashboardAction("admin", appForm, (ctx) => deleteStoreKey(ctx));

export const refreshOffersAction = dashboardAction("admin", appForm, async (ctx) => {
  await refreshOffers(ctx);
});

const newRequest = codeRequestInput.extend({
  ...inApp,
  offer,
  poolId: z.string({ error: "poolId is required" }).pipe(uuidField("poolId")),
  amount: wholeText("amount", MIN_CODES, MAX_CODES),
});

export const createRequestAction = dashboardAction("admin", newRequest, (ctx, { appId, ...input }) =>
  createCodeRequest(ctx, input),
);

const requestForm = z.object({ ...inApp, requestId: uuidField("requestId") });

export const giveUpRequestAction = dashboardAction("admin", requestForm, (ctx, { requestId }) =>
  giveUpCodeRequest(ctx, requestId),
);

const refillForm = refillInput.extend({
  ...inApp,
  offer,
  laterOffers: z.array(offer).default([]),
  threshold: wholeText("threshold", 0, 1_000_000),
  amount: wholeText("amount", MIN_CODES, MAX_CODES),
  quarterCap: wholeText("quarterCap", MIN_CODES, STORE_LIMIT),
  validDays: wholeText("validDays", 7, MAX_DAYS),
});

export const updateRefillAction = dashboardAction("admin", refillForm, (ctx, { appId, ...input }) =>
  updateRefillRule(ctx, input),
);

export const toggleRefillAction = dashboardAction(
  "admin",
  poolForm.extend({ enabled: z.enum(["true", "false"]) }),
  (ctx, { poolId, enabled }) => (enabled === "true" ? enableRefill(ctx, poolId) : disableRefill(ctx, poolId)),
);

export const deleteRefillAction = dashboardAction("admin", poolForm, (ctx, { poolId }) =>
  deleteRefillRule(ctx, poolId),
);
