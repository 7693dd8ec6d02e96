"use server";

import { z } from "zod";
import { storeKeyView } from "@/lib/app-store-connect/key-view";
import { refreshOffers } from "@/lib/app-store-connect/refresh-offers";
import { removeStoreKey } from "@/lib/app-store-connect/remove-key";
import { saveStoreKey } from "@/lib/app-store-connect/save-key";
import { askForCodes } from "@/lib/code-requests/ask";
import { giveUpRequest } from "@/lib/code-requests/give-up";
import { removeRefill, saveRefill, switchRefill } from "@/lib/code-requests/rule";
import {
  codeRequestInput,
  FEWEST_CODES,
  MOST_CODES,
  MOST_DAYS,
  refillInput,
  STORE_LIMIT,
  storeKeyInput,
} from "@/lib/contract/code-request";
import { uuidField } from "@/lib/contract/uuid";
import { wholeText } from "@/lib/contract/whole";
import { AppError } from "@/lib/errors";
import { dashboardAction } from "@/lib/session/action";

const inApp = { appId: uuidField("appId") };
const app = z.object(inApp);
const onePool = z.object({ ...inApp, poolId: uuidField("poolId") });
const offer = z.string({ error: "offer is required: read the offers first" });

/** A key that Apple refuses is kept all the same: its room says why, and a new agreement may be all it needs. */
export const saveKeyAction = dashboardAction(
  "admin",
  storeKeyInput.extend(inApp),
  async (ctx, { appId, ...key }) => {
    await saveStoreKey(ctx, key);
    const trouble = await refreshOffers(ctx).then(
      () => null,
      (error: unknown) => (error instanceof AppError ? error.message : Promise.reject(error)),
    );
    return { trouble: (await storeKeyView(ctx))?.trouble ?? trouble };
  },
);

export const removeKeyAction = dashboardAction("admin", app, (ctx) => removeStoreKey(ctx));

export const refreshOffersAction = dashboardAction("admin", app, async (ctx) => {
  await refreshOffers(ctx);
});

const asked = codeRequestInput.extend({
  ...inApp,
  offer,
  poolId: z.string({ error: "poolId is required" }).pipe(uuidField("poolId")),
  amount: wholeText("amount", FEWEST_CODES, MOST_CODES),
});

export const generateCodesAction = dashboardAction("admin", asked, (ctx, { appId, ...input }) =>
  askForCodes(ctx, input),
);

const oneRequest = z.object({ ...inApp, requestId: uuidField("requestId") });

export const giveUpRequestAction = dashboardAction("admin", oneRequest, (ctx, { requestId }) =>
  giveUpRequest(ctx, requestId),
);

const rule = refillInput.extend({
  ...inApp,
  offer,
  threshold: wholeText("threshold", 0, 1_000_000),
  amount: wholeText("amount", FEWEST_CODES, MOST_CODES),
  quarterCap: wholeText("quarterCap", FEWEST_CODES, STORE_LIMIT),
  validDays: wholeText("validDays", 7, MOST_DAYS),
});

export const saveRefillAction = dashboardAction("admin", rule, (ctx, { appId, ...input }) =>
  saveRefill(ctx, input),
);

export const switchRefillAction = dashboardAction(
  "admin",
  onePool.extend({ enabled: z.enum(["true", "false"]) }),
  (ctx, { poolId, enabled }) => switchRefill(ctx, poolId, enabled === "true"),
);

export const removeRefillAction = dashboardAction("admin", onePool, (ctx, { poolId }) =>
  removeRefill(ctx, poolId),
);
