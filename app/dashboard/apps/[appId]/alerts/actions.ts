"use server";

import { z } from "zod";
import { inApp, uuidField } from "@/lib/contract/fields";
import { channelInput, channelUpdate } from "@/lib/contract/problems";
import {
  createChannel,
  deleteChannel,
  disableChannel,
  enableChannel,
  updateChannel,
} from "@/lib/outward/problems/channels";
import { sendTestAlert } from "@/lib/outward/problems/post";
import { updateWeeklyEmail } from "@/lib/outward/weekly/weekly-email";
import { dashboardAction } from "@/lib/web/session/action";

const channel = z.object({ ...inApp, channelId: uuidField("channelId") });

export const createChannelAction = dashboardAction("admin", channelInput.extend(inApp), createChannel);

export const updateChannelAction = dashboardAction("admin", channelUpdate.extend(inApp), updateChannel);

export const toggleChannelAction = dashboardAction(
  "admin",
  channel.extend({ enabled: z.enum(["true", "false"]) }),
  (ctx, { channelId, enabled }) => (enabled === "true" ? enableChannel : disableChannel)(ctx, channelId),
);

export const deleteChannelAction = dashboardAction("admin", channel, (ctx, { channelId }) =>
  deleteChannel(ctx, channelId),
);

export const testChannelAction = dashboardAction("admin", channel, (ctx, { channelId }) =>
  sendTestAlert(ctx, channelId),
);

export const updateWeeklyEmailAction = dashboardAction(
  "viewer",
  z.object({ ...inApp, enabled: z.enum(["true", "false"]) }),
  (ctx, { enabled }) => updateWeeklyEmail(ctx, enabled === "true"),
);
