"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { GRACES } from "@/lib/contract/grace";
import { uuidField } from "@/lib/contract/uuid";
import { dashboardAction } from "@/lib/session/action";
import {
  deleteEndpoint,
  rotateEndpointSecret,
  setEndpointEnabled,
  updateEndpoint,
} from "@/lib/webhooks/change";
import { createEndpoint } from "@/lib/webhooks/create";
import { endpointInput } from "@/lib/webhooks/input";

const inApp = z.object({ appId: uuidField("appId") });
const endpoint = inApp.extend({ endpointId: uuidField("endpointId") });

export const createEndpointAction = dashboardAction(
  "admin",
  inApp.extend(endpointInput.shape),
  (ctx, { appId, ...input }) => createEndpoint(ctx, input),
);

export const changeEndpointAction = dashboardAction(
  "admin",
  endpoint.extend(endpointInput.shape),
  async (ctx, { appId, endpointId, ...input }) => {
    await updateEndpoint(ctx, endpointId, input);
  },
);

export const rotateEndpointSecretAction = dashboardAction(
  "admin",
  endpoint.extend({ grace: z.enum(GRACES, { error: "Choose how long both secrets sign" }) }),
  (ctx, { endpointId, grace }) => rotateEndpointSecret(ctx, endpointId, grace),
);

export const setEndpointEnabledAction = dashboardAction(
  "admin",
  endpoint.extend({ enabled: z.enum(["true", "false"]) }),
  async (ctx, { endpointId, enabled }) => {
    await setEndpointEnabled(ctx, endpointId, enabled === "true");
  },
);

export const deleteEndpointAction = dashboardAction("admin", endpoint, async (ctx, { appId, endpointId }) => {
  await deleteEndpoint(ctx, endpointId);
  redirect(`/dashboard/apps/${appId}/webhooks`);
});
