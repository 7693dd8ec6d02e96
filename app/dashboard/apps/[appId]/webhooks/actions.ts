"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { chosenRows } from "@/lib/contract/bulk";
import { inApp, uuidField } from "@/lib/contract/fields";
import { GRACES } from "@/lib/contract/grace";
import { RESEND_HOURS, type ResendSince } from "@/lib/contract/webhook-events";
import { endpointInput } from "@/lib/outward/webhooks/input";
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "@/lib/outward/webhooks/manage-endpoints";
import { resendDelivery, resendFailed, sendTestWebhook, tryEndpointNow } from "@/lib/outward/webhooks/resend";
import { dashboardAction } from "@/lib/web/session/action";
import { applyToEach } from "@/lib/web/session/bulk";

const endpoint = z.object({ ...inApp, endpointId: uuidField("endpointId") });

export const createEndpointAction = dashboardAction(
  "admin",
  endpointInput.extend(inApp),
  (ctx, { appId, ...input }) => createEndpoint(ctx, input),
);

export const updateEndpointAction = dashboardAction(
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

export const toggleEndpointAction = dashboardAction(
  "admin",
  endpoint.extend({ enabled: z.enum(["true", "false"]) }),
  async (ctx, { endpointId, enabled }) => {
    await (enabled === "true" ? enableEndpoint : disableEndpoint)(ctx, endpointId);
  },
);

export const deleteEndpointAction = dashboardAction("admin", endpoint, async (ctx, { appId, endpointId }) => {
  await deleteEndpoint(ctx, endpointId);
  redirect(`/dashboard/apps/${appId}/webhooks`);
});

export const testEndpointAction = dashboardAction("admin", endpoint, async (ctx, { endpointId }) => {
  await sendTestWebhook(ctx, endpointId);
});

export const tryEndpointAction = dashboardAction("admin", endpoint, async (ctx, { endpointId }) => {
  await tryEndpointNow(ctx, endpointId);
});

export const resendDeliveryAction = dashboardAction(
  "admin",
  endpoint.extend({ deliveryId: uuidField("deliveryId") }),
  (ctx, { endpointId, deliveryId }) => resendDelivery(ctx, endpointId, deliveryId),
);

export const resendChosenAction = dashboardAction(
  "admin",
  endpoint.extend(chosenRows),
  (ctx, { endpointId, ids }) => applyToEach(ids.sort(), (id) => resendDelivery(ctx, endpointId, id)),
);

const SINCE = Object.keys(RESEND_HOURS) as ResendSince[];

export const resendFailedAction = dashboardAction(
  "admin",
  endpoint.extend({ since: z.enum(SINCE, { error: "Choose since when" }) }),
  (ctx, { endpointId, since }) =>
    resendFailed(ctx, endpointId, new Date(Date.now() - RESEND_HOURS[since] * 3_600_000)),
);
