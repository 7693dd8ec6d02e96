"use server";

import { z } from "zod";
import { keyLimitTexts, PHONE_SCOPES, READ_ONLY_SCOPES, SCOPES } from "@/lib/contract/api-key";
import { inApp } from "@/lib/contract/fields";
import { createKey, createKeyInput } from "@/lib/tenants/api-keys/create";
import { keyInput, revokeKey, rotateKey, rotateKeyInput } from "@/lib/tenants/api-keys/lifecycle";
import { keyLimitsInput, liftKeyLimits, updateKeyLimits } from "@/lib/tenants/api-keys/limits";
import { dashboardAction } from "@/lib/web/session/action";

const newKey = z.object({
  ...inApp,
  name: z.string({ error: "name is required" }).pipe(createKeyInput.shape.name),
  access: z.enum(["full", "phone", "read", "custom"], { error: "Choose what the key may do" }),
  scopes: z.array(z.enum(SCOPES)).default([]),
  dailyBudget: keyLimitTexts.dailyBudget,
});

export const createKeyAction = dashboardAction(
  "admin",
  newKey,
  (ctx, { name, access, scopes, dailyBudget }) => {
    const chosen = { full: SCOPES, phone: PHONE_SCOPES, read: READ_ONLY_SCOPES, custom: scopes }[access];
    // An empty field leaves the default: a budget for a phone key of a live app, else none.
    return createKey(ctx, { name, scopes: [...chosen], ...(dailyBudget !== null && { dailyBudget }) });
  },
);

export const rotateKeyAction = dashboardAction("admin", rotateKeyInput.extend(inApp), rotateKey);

export const revokeKeyAction = dashboardAction("admin", keyInput.extend(inApp), revokeKey);

export const updateKeyLimitsAction = dashboardAction("admin", keyLimitsInput.extend(inApp), updateKeyLimits);

export const liftKeyLimitsAction = dashboardAction("admin", keyInput.extend(inApp), liftKeyLimits);
