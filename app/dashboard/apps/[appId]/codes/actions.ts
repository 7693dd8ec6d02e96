"use server";

import { z } from "zod";
import { batchUpdate, customCodeInput } from "@/lib/contract/batch";
import { chosenRows } from "@/lib/contract/bulk";
import { checkbox, inApp, uuidField, wholeText } from "@/lib/contract/fields";
import { POOL_SETTINGS, poolInput, poolUpdate } from "@/lib/contract/pool";
import { quarantineBatch, restoreBatch, undoBatch } from "@/lib/program/codes/batch-state";
import { createCustomCode } from "@/lib/program/codes/import";
import { addSampleCodes } from "@/lib/program/codes/sample-codes";
import { updateBatch } from "@/lib/program/codes/update-batch";
import { createPool, deletePool, updatePool } from "@/lib/program/pools/pools";
import { dayField } from "@/lib/program/stores/expiry";
import { dashboardAction } from "@/lib/web/session/action";
import { applyToEach } from "@/lib/web/session/bulk";

const poolForm = z.object({ ...inApp, poolId: uuidField("poolId") });
const batchForm = z.object({ ...inApp, batchId: uuidField("batchId") });

const chosenBatches = z.object({ ...inApp, ...chosenRows });

/** Addresses separated by commas, spaces or line breaks. */
const addresses = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean));

/** Texts, one per line. */
const lines = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  );

const settings = {
  lowStock: wholeText("lowStock", 0, 1_000_000),
  alertTo: addresses.pipe(poolUpdate.shape.alertTo),
  offers: lines.pipe(POOL_SETTINGS.offers),
  onePerOffer: checkbox,
};
const expiresAt = dayField("expiresAt").optional();

const newPool = poolInput.extend({ ...inApp, ...settings });

export const createPoolAction = dashboardAction("member", newPool, (ctx, { appId, ...input }) =>
  createPool(ctx, input),
);

const poolSettings = poolUpdate.extend({ ...inApp, ...settings });

export const updatePoolAction = dashboardAction("member", poolSettings, (ctx, { appId, ...input }) =>
  updatePool(ctx, input),
);

export const deletePoolAction = dashboardAction("member", poolForm, (ctx, { poolId }) =>
  deletePool(ctx, poolId),
);

export const quarantineAction = dashboardAction("member", batchForm, (ctx, { batchId }) =>
  quarantineBatch(ctx, batchId),
);

export const restoreAction = dashboardAction("member", batchForm, (ctx, { batchId }) =>
  restoreBatch(ctx, batchId),
);

export const quarantineBatchesAction = dashboardAction("member", chosenBatches, (ctx, { ids }) =>
  applyToEach(ids, (id) => quarantineBatch(ctx, id)),
);

export const restoreBatchesAction = dashboardAction("member", chosenBatches, (ctx, { ids }) =>
  applyToEach(ids, (id) => restoreBatch(ctx, id)),
);

export const undoAction = dashboardAction("member", batchForm, (ctx, { batchId }) => undoBatch(ctx, batchId));

const batchSettings = batchUpdate.extend({ ...inApp, expiresAt });

export const updateBatchAction = dashboardAction("member", batchSettings, (ctx, { appId, ...input }) =>
  updateBatch(ctx, input),
);

const customCode = customCodeInput.extend({
  ...inApp,
  expiresAt,
  poolId: z.string({ error: "Choose a pool" }).pipe(uuidField("poolId")),
  code: z.string({ error: "code is required" }).pipe(customCodeInput.shape.code),
  limit: wholeText("limit", 1, 99_999),
});

export const addSampleCodesAction = dashboardAction(
  "member",
  z.object({ ...inApp, use: poolInput.shape.use }),
  (ctx, { use }) => addSampleCodes(ctx, use),
);

export const createCustomCodeAction = dashboardAction("member", customCode, (ctx, { appId, ...input }) =>
  createCustomCode(ctx, input),
);
