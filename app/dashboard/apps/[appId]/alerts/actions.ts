"use server";

import { z } from "zod";
import { addChannel, changeChannel, removeChannel, setChannelEnabled } from "@/lib/alerts/change-channel";
import { testChannel } from "@/lib/alerts/test-channel";
import { channelChange, channelInput } from "@/lib/contract/alerts";
import { uuidField } from "@/lib/contract/uuid";
import { dashboardAction } from "@/lib/session/action";

const inApp = { appId: uuidField("appId") };
const channel = z.object({ ...inApp, channelId: uuidField("channelId") });

export const addChannelAction = dashboardAction("admin", channelInput.extend(inApp), addChannel);

export const changeChannelAction = dashboardAction("admin", channelChange.extend(inApp), changeChannel);

export const setChannelEnabledAction = dashboardAction(
  "admin",
  channel.extend({ enabled: z.enum(["true", "false"]) }),
  (ctx, { channelId, enabled }) => setChannelEnabled(ctx, channelId, enabled === "true"),
);

export const removeChannelAction = dashboardAction("admin", channel, (ctx, { channelId }) =>
  removeChannel(ctx, channelId),
);

export const testChannelAction = dashboardAction("admin", channel, (ctx, { channelId }) =>
  testChannel(ctx, channelId),
);
