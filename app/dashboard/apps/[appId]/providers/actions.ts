"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { chosenRows } from "@/lib/contract/bulk";
import { inApp, uidField, uuidField } from "@/lib/contract/fields";
import { GRACES } from "@/lib/contract/grace";
import { SAMPLE_KINDS } from "@/lib/contract/provider";
import { fail } from "@/lib/platform/errors";
import { replayConfirmation, replayFields, replayMany } from "@/lib/program/confirmations/replay";
import {
  dismissConfirmation,
  dismissUninvited,
  linkConfirmation,
  linkInput,
  restoreConfirmation,
} from "@/lib/program/confirmations/resolve";
import { toNewSecret } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { sendSampleEvent } from "@/lib/program/connections/send-sample";
import {
  deleteConnection,
  disableConnection,
  enableConnection,
  renameConnection,
  rotateConnectionSecret,
  updateOwnNames,
  updateSigningSecret,
  updateWebPurchases,
} from "@/lib/program/connections/update";
import { dashboardAction } from "@/lib/web/session/action";
import { applyToEach } from "@/lib/web/session/bulk";

const connection = z.object({ ...inApp, connectionId: uuidField("connectionId") });
const event = z.object({ ...inApp, eventId: uuidField("eventId") });

const created = z.object({
  ...inApp,
  provider: z.string({ error: "Choose a provider" }),
  name: z.string().optional(),
  secret: z.string().optional(),
  signingSecret: z.string().optional(),
});

export const createConnectionAction = dashboardAction("admin", created, async (ctx, { appId, ...input }) => {
  return toNewSecret(await createConnection(ctx, input));
});

export const renameConnectionAction = dashboardAction(
  "admin",
  connection.extend({ name: z.string().optional() }),
  async (ctx, { connectionId, name }) => {
    await renameConnection(ctx, connectionId, name ?? null);
  },
);

export const rotateConnectionSecretAction = dashboardAction(
  "admin",
  connection.extend({
    grace: z.enum(GRACES, { error: "Choose how long the old secret works" }),
    secret: z.string().optional(),
  }),
  async (ctx, { connectionId, grace, secret }) =>
    toNewSecret(await rotateConnectionSecret(ctx, connectionId, grace, secret)),
);

export const updateSigningSecretAction = dashboardAction(
  "admin",
  connection.extend({ signingSecret: z.string().optional() }),
  async (ctx, { connectionId, signingSecret }) => {
    await updateSigningSecret(ctx, connectionId, signingSecret ?? null);
  },
);

export const updateOwnNamesAction = dashboardAction(
  "admin",
  connection.extend({ events: z.string().optional(), userIdKey: z.string().optional() }),
  async (ctx, { connectionId, events, userIdKey }) => {
    await updateOwnNames(ctx, connectionId, { events, userIdKey });
  },
);

export const updateWebPurchasesAction = dashboardAction(
  "admin",
  connection.extend({ counted: z.enum(["true", "false"]) }),
  async (ctx, { connectionId, counted }) => {
    await updateWebPurchases(ctx, connectionId, counted === "true");
  },
);

export const toggleConnectionAction = dashboardAction(
  "admin",
  connection.extend({ enabled: z.enum(["true", "false"]) }),
  async (ctx, { connectionId, enabled }) => {
    await (enabled === "true" ? enableConnection : disableConnection)(ctx, connectionId);
  },
);

export const deleteConnectionAction = dashboardAction(
  "admin",
  connection,
  async (ctx, { appId, connectionId }) => {
    await deleteConnection(ctx, connectionId);
    redirect(`/dashboard/apps/${appId}/providers`);
  },
);

export const sendSampleEventAction = dashboardAction(
  "member",
  connection.extend({ uid: uidField("uid"), kind: z.enum(SAMPLE_KINDS, { error: "Choose what to send" }) }),
  async (ctx, { appId, ...input }) => {
    const { status } = await sendSampleEvent(ctx, input);
    return { status };
  },
);

export const replayEventAction = dashboardAction("support", event, async (ctx, { eventId }) => {
  const { status } = await replayConfirmation(ctx, eventId);
  return { status };
});

export const replayManyEventAction = dashboardAction("member", replayFields, (ctx, { appId: _, ...input }) =>
  replayMany(ctx, input),
);

export const dismissEventAction = dashboardAction("support", event, (ctx, { eventId }) =>
  dismissConfirmation(ctx, eventId),
);

export const dismissUninvitedEventAction = dashboardAction("support", z.object(inApp), dismissUninvited);

export const restoreEventAction = dashboardAction("support", event, (ctx, { eventId }) =>
  restoreConfirmation(ctx, eventId),
);

const chosenEvents = z.object({ ...inApp, ...chosenRows });

export const dismissChosenEventAction = dashboardAction("support", chosenEvents, (ctx, { ids }) =>
  applyToEach(ids, (id) => dismissConfirmation(ctx, id)),
);

export const restoreChosenEventAction = dashboardAction("support", chosenEvents, (ctx, { ids }) =>
  applyToEach(ids, (id) => restoreConfirmation(ctx, id)),
);

export const linkInboxEventAction = dashboardAction(
  "support",
  linkInput.extend(inApp),
  async (ctx, input) => {
    const { status } = await linkConfirmation(ctx, input);
    if (status === "unmatched") fail("CONFLICT", "This user has no referral that the event could change");
    return { status };
  },
);
