"use server";

import { z } from "zod";
import { addCustomCode } from "@/lib/codes/add-custom";
import { changeBatch } from "@/lib/codes/change-batch";
import { quarantineBatch, restoreBatch } from "@/lib/codes/quarantine";
import { undoBatch } from "@/lib/codes/undo";
import { batchChange, customCodeInput } from "@/lib/contract/batch";
import { poolChange, poolInput } from "@/lib/contract/pool";
import { uuidField } from "@/lib/contract/uuid";
import { wholeText } from "@/lib/contract/whole";
import { changePool } from "@/lib/pools/change";
import { createPool } from "@/lib/pools/create";
import { deletePool } from "@/lib/pools/delete";
import { dashboardAction } from "@/lib/session/action";
import { dayField } from "@/lib/stores/day-field";

const inApp = { appId: uuidField("appId") };
const onePool = z.object({ ...inApp, poolId: uuidField("poolId") });
const oneBatch = z.object({ ...inApp, batchId: uuidField("batchId") });

/** Addresses as a person lists them: parted by commas, spaces or lines. */
const addresses = z
  .string()
  .default("")
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean));

const alerts = {
  lowStock: wholeText("lowStock", 0, 1_000_000),
  alertTo: addresses.pipe(poolChange.shape.alertTo),
};
const expiresAt = dayField("expiresAt").optional();

const newPool = poolInput.extend({ ...inApp, ...alerts });

export const createPoolAction = dashboardAction("member", newPool, (ctx, { appId, ...input }) =>
  createPool(ctx, input),
);

const changedPool = poolChange.extend({ ...inApp, ...alerts });

export const changePoolAction = dashboardAction("member", changedPool, (ctx, { appId, ...input }) =>
  changePool(ctx, input),
);

export const deletePoolAction = dashboardAction("member", onePool, (ctx, { poolId }) =>
  deletePool(ctx, poolId),
);

export const quarantineAction = dashboardAction("member", oneBatch, (ctx, { batchId }) =>
  quarantineBatch(ctx, batchId),
);

export const restoreAction = dashboardAction("member", oneBatch, (ctx, { batchId }) =>
  restoreBatch(ctx, batchId),
);

export const undoAction = dashboardAction("member", oneBatch, (ctx, { batchId }) => undoBatch(ctx, batchId));

const changedBatch = batchChange.extend({ ...inApp, expiresAt });

export const changeBatchAction = dashboardAction("member", changedBatch, (ctx, { appId, ...input }) =>
  changeBatch(ctx, input),
);

const customCode = customCodeInput.extend({
  ...inApp,
  expiresAt,
  poolId: z.string({ error: "Choose a pool" }).pipe(uuidField("poolId")),
  code: z.string({ error: "code is required" }).pipe(customCodeInput.shape.code),
  limit: wholeText("limit", 1, 99_999),
});

export const addCustomAction = dashboardAction("member", customCode, (ctx, { appId, ...input }) =>
  addCustomCode(ctx, input),
);
