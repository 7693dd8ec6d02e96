"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { restoreApp } from "@/lib/apps/delete";
import { openApp } from "@/lib/apps/open";
import { appInput } from "@/lib/contract/app";
import { uuidField } from "@/lib/contract/uuid";
import { findPeople } from "@/lib/referrers/find";
import { dashboardQuery, formAction, plainAction, workspaceAction } from "@/lib/session/action";
import { endSession } from "@/lib/session/sign-in";

const newApp = z.object({
  workspaceId: z.uuid({ error: "workspaceId must be a UUID" }),
  name: z.string({ error: "name is required" }).pipe(appInput.shape.name),
  appleAppId: appInput.shape.appleAppId,
  androidPackage: appInput.shape.androidPackage,
  sandbox: z.literal("on").optional(),
});

export const createAppAction = workspaceAction("admin", newApp, async (ctx, { workspaceId: _, ...input }) => {
  const app = await openApp(ctx, { ...input, sandbox: input.sandbox === "on" });
  redirect(`/dashboard/apps/${app.id}`);
});

export const restoreAppAction = workspaceAction(
  "owner",
  z.object({ workspaceId: uuidField("workspaceId"), appId: uuidField("appId") }),
  (ctx, { appId }) => restoreApp(ctx, appId),
);

export const findPeopleAction = dashboardQuery(
  "viewer",
  z.object({ appId: uuidField("appId"), text: z.string({ error: "text is required" }).max(200) }),
  (ctx, { text }) => findPeople(ctx, text),
);

const signOut = formAction(z.object({}), async () => {
  await endSession();
  redirect("/sign-in");
});

export const signOutAction = plainAction(signOut);
