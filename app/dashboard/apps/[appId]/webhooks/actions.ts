"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { GRACES } from "@/lib/contract/grace";
import { uuidField } from "@/lib/contract/uuid";
import { RESEND_HOURS, type ResendSince } from "@/lib/contract/webhook-events";
import { dashboardAction } from "@/lib/session/action";
import {
  deleteEndpoint,
  rotateEndpointSecret,
  setEndpointEnabled,
  updateEndpoint,
} from "@/lib/webhooks/change";
import { createEndpoint } from "@/lib/webhooks/create";
import { endpointInput } from "@/lib/webhooks/input";
import { resendDelivery, resendFailed } from "@/lib/webhooks/resend";
import { sendTestEvent } from "@/lib/webhooks/test-event";

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

export const testEndpointAction = dashboardAction("admin", endpoint, async (ctx, { endpointId }) => {
  await sendTestEvent(ctx, endpointId);
});

export const resendDeliveryAction = dashboardAction(
  "admin",
  endpoint.extend({ deliveryId: uuidField("deliveryId") }),
  (ctx, { endpointId, deliveryId }) => resendDelivery(ctx, endpointId, deliveryId),
);

const SINCE = Object.keys(RESEND_HOURS) as ResendSince[];

export const resendFailedAction = dashboardAction(
  "admin",
  endpoint.extend({ since: z.enum(SINCE, { error: "Choose since when" }) }),
  (ctx, { endpointId, since }) =>
    resendFailed(ctx, endpointId, new Date(Date.now() - RESEND_HOURS[since] * 3_600_000)),
);
