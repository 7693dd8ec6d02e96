"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { dismissConfirmation, restoreConfirmation } from "@/lib/confirmations/dismiss";
import { linkConfirmation } from "@/lib/confirmations/link";
import { replayConfirmation } from "@/lib/confirmations/replay";
import { replayFields, replayMany } from "@/lib/confirmations/replay-many";
import {
  deleteConnection,
  renameConnection,
  rotateConnectionSecret,
  setConnectionEnabled,
  setOwnNames,
  setSigningSecret,
} from "@/lib/connections/change";
import { shownOnce } from "@/lib/connections/connection";
import { createConnection } from "@/lib/connections/create";
import { sendTestEvent } from "@/lib/connections/send-test";
import { uidField } from "@/lib/contract/fields";
import { GRACES } from "@/lib/contract/grace";
import { TEST_KINDS } from "@/lib/contract/provider";
import { uuidField } from "@/lib/contract/uuid";
import { fail } from "@/lib/errors";
import { dashboardAction } from "@/lib/session/action";

const inApp = { appId: uuidField("appId") };
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
  return shownOnce(await createConnection(ctx, input));
});

export const renameConnectionAction = dashboardAction(
  "admin",
  connection.extend({ name: z.string().optional() }),
  async (ctx, { connectionId, name }) => {
    await renameConnection(ctx, connectionId, name ?? null);
  },
);

export const changeSecretAction = dashboardAction(
  "admin",
  connection.extend({
    grace: z.enum(GRACES, { error: "Choose how long the old secret works" }),
    secret: z.string().optional(),
  }),
  async (ctx, { connectionId, grace, secret }) =>
    shownOnce(await rotateConnectionSecret(ctx, connectionId, grace, secret)),
);

export const setSigningSecretAction = dashboardAction(
  "admin",
  connection.extend({ signingSecret: z.string().optional() }),
  async (ctx, { connectionId, signingSecret }) => {
    await setSigningSecret(ctx, connectionId, signingSecret ?? null);
  },
);

export const setOwnNamesAction = dashboardAction(
  "admin",
  connection.extend({ events: z.string().optional(), userIdKey: z.string().optional() }),
  async (ctx, { connectionId, events, userIdKey }) => {
    await setOwnNames(ctx, connectionId, { events, userIdKey });
  },
);

export const setConnectionEnabledAction = dashboardAction(
  "admin",
  connection.extend({ enabled: z.enum(["true", "false"]) }),
  async (ctx, { connectionId, enabled }) => {
    await setConnectionEnabled(ctx, connectionId, enabled === "true");
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

export const sendTestEventAction = dashboardAction(
  "member",
  connection.extend({ uid: uidField("uid"), kind: z.enum(TEST_KINDS, { error: "Choose what to send" }) }),
  async (ctx, { appId, ...input }) => {
    const { status } = await sendTestEvent(ctx, input);
    return { status };
  },
);

export const replayEventAction = dashboardAction("member", event, async (ctx, { eventId }) => {
  const { status } = await replayConfirmation(ctx, eventId);
  return { status };
});

export const replayManyEventAction = dashboardAction("member", replayFields, (ctx, { appId: _, ...input }) =>
  replayMany(ctx, input),
);

export const dismissEventAction = dashboardAction("member", event, (ctx, { eventId }) =>
  dismissConfirmation(ctx, eventId),
);

export const returnEventAction = dashboardAction("member", event, (ctx, { eventId }) =>
  restoreConfirmation(ctx, eventId),
);

export const linkInboxEventAction = dashboardAction(
  "member",
  event.extend({ uid: uidField("uid") }),
  async (ctx, { eventId, uid }) => {
    const { status } = await linkConfirmation(ctx, eventId, uid);
    if (status === "unmatched") fail("CONFLICT", "This person has no referral that the event could change");
    return { status };
  },
);
