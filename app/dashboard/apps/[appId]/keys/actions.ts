"use server";

import { z } from "zod";
import { createKey, createKeyInput } from "@/lib/api-keys/create";
import { revokeKey, revokeKeyInput } from "@/lib/api-keys/revoke";
import { rotateKey, rotateKeyInput } from "@/lib/api-keys/rotate";
import { READ_ONLY_SCOPES, SCOPES } from "@/lib/contract/scopes";
import { dashboardAction } from "@/lib/session/action";

const inApp = { appId: z.uuid({ error: "appId must be a UUID" }) };

const newKey = z.object({
  ...inApp,
  name: z.string({ error: "name is required" }).pipe(createKeyInput.shape.name),
  access: z.enum(["full", "read", "custom"], { error: "Choose what the key may do" }),
  scopes: z.array(z.enum(SCOPES)).default([]),
});

export const createKeyAction = dashboardAction("admin", newKey, (ctx, { name, access, scopes }) => {
  const chosen = { full: SCOPES, read: READ_ONLY_SCOPES, custom: scopes }[access];
  return createKey(ctx, { name, scopes: [...chosen] });
});

export const rotateKeyAction = dashboardAction("admin", rotateKeyInput.extend(inApp), rotateKey);

export const revokeKeyAction = dashboardAction("admin", revokeKeyInput.extend(inApp), revokeKey);
